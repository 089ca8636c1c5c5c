import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { authTexts } from "#contract/auth-texts.ts";
import { addUser, signInAs, userPassword } from "../driver/add-user.ts";
import { launchBrowser, openPage, type WatchedPage } from "../driver/browser.ts";
import { mailedLink, readOutbox } from "../driver/outbox.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, type ServerProcess } from "../driver/start-server.ts";
import { startWithPeople } from "../driver/start-with-people.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { noteLive, openLive } from "./live.ts";

const newPassword = "quite another long password";
let browser: Browser;
let server: ServerProcess;
let admin: string;

beforeAll(async () => {
  const started = await startWithPeople();
  server = started.server;
  admin = started.cookies.admin;
  browser = await launchBrowser();
}, 90_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  removeFolder(server.dataDir);
});

const open = async (path: string): Promise<WatchedPage> => {
  const watched = await openPage(browser, { width: 1280, theme: "light" });
  await noteLive(watched.page);
  await openLive(watched.page, path.startsWith("http") ? path : `${server.url}${path}`);
  return watched;
};

/** Somebody new, and the link of a mail that they asked for. */
const withResetLink = async (email: string): Promise<string> => {
  await addUser(server.url, admin, { name: "Rosa Example", email });
  await createPerson(server.url).call("POST", "/api/auth/forgot-password", { email });
  return mailedLink(server.dataDir, email, "/reset-password");
};

describe("W5: a forgotten password", () => {
  test("is asked for, mailed, set anew and signed in with by keyboard alone", async () => {
    const email = "keys@example.test";
    const elsewhere = await addUser(server.url, admin, { name: "Kay Board", email });
    const { page, context, complaints, foreign } = await open("/login");
    await typeAt(page, "Email", email);
    await pressAt(page, "Forgot password?");
    await page.waitForURL("**/forgot-password");
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

  test("is asked for in the same words whoever owns the address, and strangers get no mail", async () => {
    const { page, context } = await open("/forgot-password");
    await page.getByLabel("Email").fill("nobody-here@example.test");
    await page.getByRole("button", { name: "Send Reset Instructions" }).click();
    await page.getByText(authTexts.resetMailSent).waitFor();
    await page.getByText("look into your spam folder").waitFor();
    expect((await readOutbox(server.dataDir)).map(({ to }) => to)).not.toContain("nobody-here@example.test");
    await page.getByRole("link", { name: "Back to Login" }).click();
    await page.waitForURL("**/login");
    await context.close();
  });

  test("sign-in that is locked by wrong passwords says how long, and a reset opens it at once", async () => {
    const email = "locked@example.test";
    await addUser(server.url, admin, { name: "Lou Locked", email });
    const stranger = createPerson(server.url);
    for (let tries = 0; tries < 10; tries += 1)
      await stranger.call("POST", "/api/auth/login", { email, password: "a wrong one" });
    const { page, context } = await open("/login");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(userPassword);
    await page.getByRole("button", { name: "Sign In" }).click();
    await page
      .getByRole("alert")
      .getByText(/Please try again in \d+ minutes/)
      .waitFor();
    await page.getByRole("link", { name: "Set a new password" }).click();
    await page.waitForURL("**/forgot-password");
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
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

describe("the page of a reset link", () => {
  const typed = { short: "short", common: "password1", good: newPassword };
  const set = async ({ page }: WatchedPage, password: string, again = password) => {
    await page.getByLabel("New Password", { exact: true }).fill(password);
    await page.getByLabel("Confirm New Password").fill(again);
    await page.getByRole("button", { name: "Reset Password" }).click();
  };

  test("without a token says so at once and after every try, and leads to a new link", async () => {
    const visit = await open("/reset-password");
    const { page, context } = visit;
    await page.getByRole("alert").getByText(authTexts.resetTokenMissing).waitFor();
    await set(visit, typed.good);
    expect(await page.getByText(authTexts.resetTokenMissing).isVisible()).toBe(true);
    await page.getByRole("link", { name: "Request a new link" }).click();
    await page.waitForURL("**/forgot-password");
    await context.close();
  });

  test("says beside the field what will not do, common passwords too, and the link stays good", async () => {
    const visit = await open(await withResetLink("weak@example.test"));
    const { page, context } = visit;
    await set(visit, typed.short);
    await page.getByText(authTexts.passwordTooShort).waitFor();
    await set(visit, typed.good, `${typed.good}!`);
    await page.getByText(authTexts.passwordsDiffer).waitFor();
    await set(visit, typed.common);
    // Beside the field as the server's word, and below it as the form's own.
    await page.getByText(authTexts.passwordCommon).first().waitFor();
    await page.locator("[name=password][aria-invalid=true]:focus").waitFor();
    await set(visit, typed.good);
    await page.getByText(authTexts.resetDone).waitFor();
    await page.getByRole("link", { name: "Go to Sign In" }).click();
    await page.waitForURL("**/login");
    await context.close();
  });

  test("of a link that was used already shows the server's words and the way to a new one", async () => {
    const link = await withResetLink("again@example.test");
    const token = link.split("token=")[1] ?? "";
    await createPerson(server.url).call("POST", `/api/auth/reset-password/${token}`, {
      password: newPassword,
    });
    const visit = await open(link);
    const { page, context } = visit;
    await set(visit, typed.good);
    await page.getByRole("alert").getByText(authTexts.resetInvalid).waitFor();
    await page.getByRole("link", { name: "Request a new link" }).click();
    await page.waitForURL("**/forgot-password");
    await context.close();
  });

  test("keeps what was typed when the server is in trouble, and does not blame the link", async () => {
    const visit = await open("/reset-password?token=any");
    const { page, context } = visit;
    await page.route("**/api/auth/reset-password/*", (route) => route.fulfill({ status: 500, body: "" }));
    await set(visit, typed.good);
    await page.getByRole("alert").getByText(authTexts.resetFailed).waitFor();
    expect(await page.getByRole("link", { name: "Request a new link" }).count()).toBe(0);
    expect(await page.getByLabel("Confirm New Password").inputValue()).toBe(typed.good);
    await context.close();
  });
});

test("search engines find the page that asks for a link, and are kept from the one that a link opens", async () => {
  const isHidden = async (path: string) =>
    (await (await fetch(`${server.url}${path}`)).text()).includes('<meta name="robots" content="noindex">');
  expect(await isHidden("/forgot-password")).toBe(false);
  expect(await isHidden("/reset-password")).toBe(true);
});
