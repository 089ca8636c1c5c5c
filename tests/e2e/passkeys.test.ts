import { expect, test } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import { passkeyTexts } from "#contract/passkeys.ts";
import { userPassword } from "../driver/add-user.ts";
import { mailedLink } from "../driver/outbox.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { axeFindings } from "./axe-findings.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { openLive } from "./live.ts";
import { button, notice } from "./settings-stage.ts";
import { signOut, stageForFile } from "./stage.ts";

const stage = await stageForFile();

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });

/** An authenticator of the browser's own, as a phone with a fingerprint reader. */
const addAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { session, authenticatorId };
};

type Authenticator = { session: CDPSession; authenticatorId: string };
const setVerified = ({ session, authenticatorId }: Authenticator, isUserVerified: boolean) =>
  session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
const setPresence = ({ session, authenticatorId }: Authenticator, enabled: boolean) =>
  session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });

test("a passkey is added, signs in alone and after the password, is refused once, and is removed", async () => {
  const { page, context, complaints } = await stage.open("user");
  const authenticator = await addAuthenticator(page);
  // The authenticator would answer the field's offer before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await openLive(page, `${stage.url}/account/security`);
  // By the keyboard alone.
  await pressAt(page, "Add a passkey");
  await dialog(page, "Add a passkey").waitFor();
  expect(await axeFindings(page, { within: "dialog" })).toEqual([]);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("My phone");
  await page.keyboard.press("Enter");
  await dialog(page, "Your new recovery codes").waitFor();
  await tabTo(page, "I have stored these codes");
  await page.keyboard.press("Space");
  await pressAt(page, "Done");
  await button(page, "Rename My phone").waitFor();
  expect(await axeFindings(page)).toEqual([]);

  // The same authenticator again: the browser refuses.
  await button(page, "Add a passkey").click();
  await dialog(page, "Add a passkey").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("This device already has a passkey for your account.").waitFor();
  await page.keyboard.press("Escape");

  await signOut(page);
  await openLive(page, `${stage.url}/login?from=%2Faccount%2Fsecurity`);
  expect(await axeFindings(page)).toEqual([]);
  await setVerified(authenticator, false);
  await pressAt(page, "Sign in with a passkey");
  await page.getByText("The request was canceled or timed out", { exact: false }).waitFor();
  await setVerified(authenticator, true);
  await pressAt(page, "Sign in with a passkey");
  await page.waitForURL("**/account/security");

  await signOut(page);
  await setPresence(authenticator, false);
  await openLive(page, `${stage.url}/login?from=%2Faccount%2Fsecurity`);
  await typeAt(page, "Email", "grace@example.test");
  await typeAt(page, "Password", userPassword);
  await page.keyboard.press("Enter");
  await button(page, "Continue with a passkey").waitFor();
  await button(page, "Use a recovery code").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  // Nothing answers: the wait can be canceled, and tried again.
  await button(page, "Continue with a passkey").click();
  await page.getByText("Follow the instructions of your browser or device.").waitFor();
  await button(page, "Cancel").click();
  await setPresence(authenticator, true);
  await button(page, "Continue with a passkey").click();
  await page.waitForURL("**/account/security");

  await button(page, "Remove My phone").click();
  await dialog(page, "Remove the passkey My phone?").getByRole("button", { name: "Remove passkey" }).click();
  await notice(page, passkeyTexts.removed);
  await button(page, "Rename My phone").waitFor({ state: "detached" });
  await signOut(page);
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);

test("the email field offers passkeys, and one that the server no longer knows is refused with the reason", async () => {
  const { page, context } = await stage.open("admin");
  await addAuthenticator(page);
  await openLive(page, `${stage.url}/account/security`);
  await button(page, "Add a passkey").click();
  await dialog(page, "Add a passkey").waitFor();
  await page.keyboard.press("Enter");
  await dialog(page, "Your new recovery codes").waitFor();
  await page.getByLabel("I have stored these codes").check();
  await button(page, "Done").click();
  await signOut(page);
  // The authenticator answers at once, as if the reader had chosen its passkey from the field.
  await openLive(page, `${stage.url}/login?from=%2Faccount%2Fsecurity`);
  await page.waitForURL("**/account/security");
  await page.route("**/api/auth/passkey", (route) =>
    route.fulfill({
      status: 403,
      json: { success: false, code: "PASSKEY_REFUSED", message: passkeyTexts.unknown, requestId: "x" },
    }),
  );
  await signOut(page);
  await openLive(page, `${stage.url}/login`);
  await page.getByText(passkeyTexts.unknown).first().waitFor();
  await context.close();
}, 120_000);

test("an invitation is accepted with a passkey by the keyboard alone; one that is canceled creates nothing", async () => {
  const email = "hopper@example.test";
  const invitations = [{ email, name: "Grace M. Hopper" }];
  await asOperator(stage.dataDir).ask("POST", "/api/admin/invitations", { invitations });
  const { page, context, complaints } = await stage.open("visitor");
  const authenticator = await addAuthenticator(page);
  await setPresence(authenticator, false);
  await openLive(page, await mailedLink(stage.dataDir, email, "/invite"));
  await button(page, "Create a passkey").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await pressAt(page, "Create a passkey");
  await pressAt(page, "Cancel");
  await setPresence(authenticator, true);
  await pressAt(page, "Create a passkey");
  await dialog(page, "Your new recovery codes").waitFor();
  expect(await axeFindings(page, { within: "dialog" })).toEqual([]);
  await tabTo(page, "I have stored these codes");
  await page.keyboard.press("Space");
  await pressAt(page, "Done");
  await page.waitForURL("**/dashboard");
  await openLive(page, `${stage.url}/account/security`);
  await page.getByRole("button", { name: /^Rename / }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);
