import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { failureOf } from "#api/testing/failure-of.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { addUser, signInAs, userPassword } from "../driver/add-user.ts";
import { openPage } from "../driver/browser.ts";
import { browserForFile, peopledForFile } from "../driver/for-file.ts";
import { giveSession } from "../driver/people.ts";
import type { Person } from "../driver/person.ts";
import { pressAt, typeAt } from "./keyboard.ts";
import { comesTo, noteLive, openLive } from "./live.ts";

const newPassword = "quite another long password";

const {
  server,
  cookies: { admin },
} = await peopledForFile();
const browser = await browserForFile();

/** Opens a page of the account settings with somebody's session. */
const openAs = async (cookie: string | null, path: string) => {
  const watched = await openPage(browser, { width: 1280, theme: "light" });
  await giveSession(watched.context, server.url, cookie ?? "");
  await noteLive(watched.page);
  await openLive(watched.page, `${server.url}${path}`);
  return watched;
};

const isSignedIn = async (person: Person) => (await person.call("GET", "/api/auth/user")).status === 200;

describe("the account pages, by keyboard alone", () => {
  test("W5: changes the password, which signs out every other browser but not this one", async () => {
    const email = "password@example.test";
    const elsewhere = await addUser(server.url, admin, { name: "Pat Example", email });
    const here = await signInAs(server.url, email);
    const { page, context } = await openAs(here.cookie, "/account/security");
    await typeAt(page, "Current Password", "not my password");
    await typeAt(page, "New Password", newPassword);
    await typeAt(page, "Confirm New Password", newPassword);
    await page.keyboard.press("Enter");
    await page.getByText(accountTexts.passwordWrong).waitFor();
    expect(await page.getByLabel("New Password", { exact: true }).inputValue()).toBe(newPassword);
    expect(await isSignedIn(elsewhere)).toBe(true);
    // The focus is at the field that was wrong.
    await page.locator("[name=currentPassword]:focus").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(userPassword);
    await page.keyboard.press("Enter");
    await page.getByText(accountTexts.passwordChanged).waitFor();
    expect(await isSignedIn(elsewhere)).toBe(false);
    await comesTo(() => page.getByLabel("Current Password").inputValue(), "");
    await openLive(page, `${server.url}/account/sessions`);
    await page.getByText("This device").waitFor();
    expect(
      await page.getByRole("main").getByRole("list", { name: "Sessions" }).getByRole("listitem").count(),
    ).toBe(1);
    await signInAs(server.url, email, newPassword);
    await context.close();
  });

  test("downloads everything stored about the user, without secrets", async () => {
    const email = "export@example.test";
    const person = await addUser(server.url, admin, { name: "Exa Example", email });
    const { page, context } = await openAs(person.cookie, "/account/data");
    const [download] = await Promise.all([page.waitForEvent("download"), pressAt(page, "Download JSON")]);
    expect(download.suggestedFilename()).toBe("account.json");
    const text = readFileSync(await download.path(), "utf8");
    expect(JSON.stringify(JSON.parse(text))).toContain(email);
    expect(text).not.toContain("argon2");
    await context.close();
  });

  test("deletes the account, once the address and the right password were typed", async () => {
    const email = "delete@example.test";
    const person = await addUser(server.url, admin, { name: "Del Example", email });
    const { page, context, complaints } = await openAs(person.cookie, "/account/data");
    await pressAt(page, "Delete account…");
    const dialog = page.getByRole("dialog", { name: "Delete your account?" });
    await dialog.getByText("all your devices are signed out").waitFor();
    await dialog.locator("[name=password]:focus").waitFor();
    await page.keyboard.type("not my password");
    await typeAt(page, "Type your email address to confirm", "someone@example.test");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not your account's email address").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(email.toUpperCase());
    await page.keyboard.press("Enter");
    await dialog.getByText(accountTexts.passwordWrong).waitFor();
    expect(await isSignedIn(person)).toBe(true);
    await dialog.locator("[name=password]:focus").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(userPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.url}/`);
    await page.getByText(accountTexts.deleted).waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
    expect(await isSignedIn(person)).toBe(false);
    expect(String(await failureOf(signInAs(server.url, email)))).toContain("401");
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("the dashboard", () => {
  test("asks no other host but the avatar service, and is whole when that is away", async () => {
    const { page, context, foreign, complaints } = await openAs(admin, "/dashboard");
    await comesTo(() => foreign.length > 0, true);
    for (const url of foreign)
      expect(url).toMatch(/^https:\/\/www\.gravatar\.com\/avatar\/[0-9a-f]{64}\?s=200&/);
    await page.getByRole("main").getByText("AL", { exact: true }).waitFor();
    await comesTo(() => page.getByRole("main").locator("img").count(), 0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
