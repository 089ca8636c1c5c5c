import { expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { factorTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { userPassword } from "../driver/add-user.ts";
import { axeFindings } from "./axe-findings.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { comesTo, openLive } from "./live.ts";
import { button, field, notice } from "./settings-stage.ts";
import { signOut, stageForFile } from "./stage.ts";

const stage = await stageForFile();

const stepMs = 30_000;
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

/** Gives the password, by the keyboard alone, and waits for the second step. */
const giveEmailAndPassword = async (page: Page) => {
  await openLive(page, `${stage.url}/login?from=%2Faccount%2Fsecurity`);
  await typeAt(page, "Email", "grace@example.test");
  await typeAt(page, "Password", userPassword);
  await page.keyboard.press("Enter");
  await heading(page, "Two-factor authentication").waitFor();
};

const giveFactor = async (page: Page, code: string) => {
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
};

test("two-factor authentication is set up, asked for at sign-in, replaced by a recovery code, and turned off", async () => {
  const { page, context, complaints } = await stage.open("user");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openLive(page, `${stage.url}/account/security`);
  await button(page, "Set up authenticator app").click();
  await dialog(page, "Set up your authenticator app").waitFor();
  // Drawn without anything that the content policy refuses.
  const box = await page.getByRole("img", { name: /QR code/ }).boundingBox();
  expect(box?.width).toBeGreaterThan(150);
  expect(await axeFindings(page, { within: "dialog" })).toEqual([]);
  await button(page, "Copy key").click();
  const secret = Secret.fromBase32(await page.evaluate(() => navigator.clipboard.readText()));
  const setUpAtMs = Date.now();
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });
  await typeAt(page, "Authentication code", codeAt(setUpAtMs));
  await page.keyboard.press("Enter");
  await dialog(page, "Store your recovery codes").waitFor();
  const recoveryCodes = await page
    .getByRole("list", { name: "Recovery codes" })
    .getByRole("listitem")
    .allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  const saving = page.waitForEvent("download");
  await pressAt(page, "Download");
  expect((await saving).suggestedFilename()).toBe("recovery-codes.txt");
  expect(await axeFindings(page, { within: "dialog" })).toEqual([]);
  expect(await button(page, "Turn on").isDisabled()).toBe(true);
  await tabTo(page, "I have stored these codes");
  await page.keyboard.press("Space");
  await pressAt(page, "Turn on");
  await notice(page, factorTexts.enabled);
  await page.getByText("10 of 10 left", { exact: false }).waitFor();

  await signOut(page);
  await giveEmailAndPassword(page);
  expect(await axeFindings(page)).toEqual([]);
  await giveFactor(page, codeAt(setUpAtMs + 120 * stepMs));
  await page.getByText(errorTexts.CODE_INVALID).waitFor();
  await comesTo(() => field(page, "Authentication code").inputValue(), codeAt(setUpAtMs + 120 * stepMs));
  // The code that was used to set the app up is not taken again: it has to be the next one.
  await giveFactor(page, codeAt(setUpAtMs + stepMs));
  await page.waitForURL("**/account/security");

  await signOut(page);
  await giveEmailAndPassword(page);
  await pressAt(page, "Use a recovery code");
  await field(page, "Recovery code").waitFor();
  await giveFactor(page, (recoveryCodes[0] ?? "").toUpperCase());
  await page.waitForURL("**/account/security");
  await page.getByText("9 of 10 left", { exact: false }).waitFor();

  await button(page, "Turn off").click();
  await dialog(page, "Turn off two-factor authentication?").getByRole("button", { name: "Turn off" }).click();
  await notice(page, factorTexts.removed);
  await button(page, "Set up authenticator app").waitFor();
  await signOut(page);
  await openLive(page, `${stage.url}/login`);
  await typeAt(page, "Email", "grace@example.test");
  await typeAt(page, "Password", userPassword);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);
