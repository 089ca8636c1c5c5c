import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { addUser, signInAs, userPassword } from "../driver/add-user.ts";
import { openPage, type WatchedPage } from "../driver/browser.ts";
import { browserForFile, peopledForFile } from "../driver/for-file.ts";
import { mailedLink } from "../driver/outbox.ts";
import { createPerson } from "../driver/person.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { comesTo, noteLive, openLive } from "./live.ts";

const newPassword = "quite another long password";

const {
  server,
  cookies: { admin },
} = await peopledForFile();
const browser = await browserForFile();

const open = async (path: string): Promise<WatchedPage> => {
  const watched = await openPage(browser, { width: 1280, theme: "light" });
  await noteLive(watched.page);
  await openLive(watched.page, path.startsWith("http") ? path : `${server.url}${path}`);
  return watched;
};

describe("W5: a forgotten password", () => {
  test("is requested, emailed, reset and used to sign in by keyboard alone", async () => {
    const email = "keys@example.test";
    const elsewhere = await addUser(server.url, admin, { name: "Kay Board", email });
    const { page, context, complaints, foreign } = await open("/login");
    await typeAt(page, "Email", email);
    await pressAt(page, "Forgot password?");
    await page.waitForURL("**/forgot-password");
    // Until the page is there, the footer's link of that name would be the first.
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    // What was typed at the sign-in came along, and needs no second typing.
    await tabTo(page, "Email");
    await page.keyboard.press("Enter");
    await page.getByText(authTexts.resetMailSent).waitFor();

    await page.clock.install();
    await page.goto(await mailedLink(server.dataDir, email, "/reset-password"));
    await page.waitForFunction(() => globalThis.isLive === true);
    await typeAt(page, "New Password", newPassword);
    await page.getByText("Password strength: Strong").waitFor();
    await typeAt(page, "Confirm New Password", newPassword);
    // From here on time passes only as told.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press("Enter");
    await page.getByText(authTexts.resetDone).waitFor();
    expect(page.url()).not.toContain("token=");
    await page.clock.runFor(2_999);
    expect(new URL(page.url()).pathname).toBe("/reset-password");
    await page.clock.runFor(1);
    await page.waitForURL("**/login");
    await page.clock.resume();

    expect((await elsewhere.call("GET", "/api/auth/user")).status).toBe(401);
    await typeAt(page, "Email", email);
    await typeAt(page, "Password", newPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard");
    expect(complaints).toEqual([]);
    expect(foreign.filter((url) => !url.startsWith("https://www.gravatar.com/avatar/"))).toEqual([]);
    await context.close();
  });

  test("sign-in that is locked by wrong passwords says how long, and a reset unlocks it immediately", async () => {
    const email = "locked@example.test";
    await addUser(server.url, admin, { name: "Lou Locked", email });
    const stranger = createPerson(server.url);
    for (let tries = 0; tries < 10; tries += 1)
      await stranger.call("POST", "/api/auth/login", { email, password: "a wrong one" });
    const { page, context } = await open("/login");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(userPassword);
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/Please try again in \d+ minutes/)
      .waitFor();
    await page.getByRole("link", { name: "Set a new password" }).click();
    await page.waitForURL("**/forgot-password");
    await comesTo(() => page.getByLabel("Email").inputValue(), email);
    await page.getByRole("button", { name: "Send Reset Instructions" }).click();
    await page.getByText(authTexts.resetMailSent).waitFor();
    await openLive(page, await mailedLink(server.dataDir, email, "/reset-password"));
    await page.getByLabel("New Password", { exact: true }).fill(newPassword);
    await page.getByLabel("Confirm New Password").fill(newPassword);
    await page.getByRole("button", { name: "Reset Password" }).click();
    await page.getByText(authTexts.resetDone).waitFor();
    await signInAs(server.url, email, newPassword);
    await context.close();
  });
});

test("search engines find the page that asks for a link, and are kept from the one that a link opens", async () => {
  const isHidden = async (path: string) =>
    (await (await fetch(`${server.url}${path}`)).text()).includes('<meta name="robots" content="noindex">');
  expect(await isHidden("/forgot-password")).toBe(false);
  expect(await isHidden("/reset-password")).toBe(true);
});
