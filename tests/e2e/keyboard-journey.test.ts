import { expect, test } from "bun:test";
import { mailCooldowns } from "#api/db/schema.ts";
import { until } from "#api/testing/until.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { openPage, type WatchedPage } from "../driver/browser.ts";
import { browserForFile, serverForFile } from "../driver/for-file.ts";
import { mailedLink } from "../driver/outbox.ts";
import { createPerson } from "../driver/person.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, startServer } from "../driver/start-server.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { noteLive, openLive } from "./live.ts";

const password = "a rather fine long password";
/** Somebody who registered a while ago and has not followed the link. */
const late = { name: "Lena Late", email: "late@keys.example" };

const before = await startServer();
const { dataDir } = before;
await createPerson(before.url).call("POST", "/api/auth/register", { ...late, password });
await mailedLink(dataDir, late.email, "/verify-email");
await before.stop();
// As if the minute had passed within which nobody is mailed twice.
await readRows({ dataDir, env: {} }, (db) => db.delete(mailCooldowns));
const [server, browser] = await Promise.all([serverForFile({ dataDir }), browserForFile()]);

const open = async (path: string): Promise<WatchedPage> => {
  const watched = await openPage(browser, { width: 1280, theme: "light" });
  await noteLive(watched.page);
  await openLive(watched.page, path.startsWith("http") ? path : `${server.url}${path}`);
  return watched;
};

/** Chooses name and password on the page that is open. */
const choose = async ({ page }: WatchedPage, name: string): Promise<void> => {
  await page.getByText("Your email address is confirmed.").waitFor();
  await typeAt(page, "Full Name", name);
  await typeAt(page, "New Password", password);
  await typeAt(page, "Confirm Password", password);
  await pressAt(page, "Create account");
};

/** Opens the link of a verification mail, and goes on to the sign-in before the page does so by itself. */
const verify = async (visit: WatchedPage, link: string, chosenName?: string): Promise<void> => {
  const { page } = visit;
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/auth/verify-email/*", async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.clock.install();
  await openLive(page, link);
  // From here on time passes only as told; a longer leap would end the call that is under way.
  await page.clock.pauseAt(Date.now() + 1_000);
  release();
  if (chosenName !== undefined) await choose(visit, chosenName);
  await page.getByText(chosenName === undefined ? authTexts.verified : authTexts.accountCreated).waitFor();
  await pressAt(page, "Go to Sign In");
  await page.waitForURL("**/login");
  await page.clock.resume();
};

/** Signs in on the page that is open. */
const signIn = async ({ page }: WatchedPage, email: string): Promise<void> => {
  await typeAt(page, "Email", email);
  await typeAt(page, "Password", password);
  await page.keyboard.press("Enter");
};

/** Ends the visit; nothing was complained of, and nothing loaded from elsewhere but the avatar. */
const leave = async ({ context, complaints, foreign }: WatchedPage): Promise<void> => {
  await context.close();
  expect(complaints).toEqual([]);
  expect(foreign.filter((url) => !url.startsWith("https://www.gravatar.com/avatar/"))).toEqual([]);
};

test("an account is created, verified by email and signed in to by keyboard alone", async () => {
  const email = "kay@keys.example";
  const visit = await open("/register");
  const { page } = visit;
  await typeAt(page, "Full Name", "Kay Board");
  await typeAt(page, "Email Address", email);
  await typeAt(page, "Password", password);
  await page.getByText("Password strength: Strong").waitFor();
  await typeAt(page, "Confirm Password", "something else");
  await pressAt(page, "Create Account");
  // The focus is back at the field that was complained of.
  await page.getByText(authTexts.passwordsDiffer).waitFor();
  await page.locator("[name=confirmPassword]:focus").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/verify");
  await page.getByText(authTexts.registered).waitFor();

  await verify(visit, await mailedLink(server.dataDir, email, "/verify-email"));
  await signIn(visit, email);
  await page.waitForURL("**/dashboard");
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await leave(visit);
});

test("a sign-in that comes too early leads to a new verification email by keyboard alone", async () => {
  const visit = await open("/login");
  const { page } = visit;
  const old = await mailedLink(server.dataDir, late.email, "/verify-email");
  await signIn(visit, late.email);
  await page.getByText(authTexts.verifyFirst).waitFor();
  await pressAt(page, "Send a new verification email");
  await page.waitForURL("**/verify");
  await tabTo(page, "Email Address");
  // The address came along; without one the field says so and keeps the focus.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Enter");
  await page.locator("[name=email][aria-invalid=true]:focus").waitFor();
  await page.keyboard.type(late.email);
  await pressAt(page, "Send Verification Email");
  await page.getByText(authTexts.resent).waitFor();

  const link = await newerLink(old);
  // Another browser than the one that registered: whoever follows the link chooses.
  await verify(visit, link, late.name);
  await signIn(visit, late.email);
  await page.waitForURL("**/dashboard");
  await leave(visit);
});

/** The link that was mailed after another one. */
const newerLink = async (old: string): Promise<string> => {
  let link = old;
  await until(async () => {
    link = await mailedLink(server.dataDir, late.email, "/verify-email");
    return link !== old;
  });
  return link;
};

test("the first administrator is made from the server's link by keyboard alone", async () => {
  const fresh = await startServer();
  const visit = await open(fresh.setupLink ?? "");
  const { page } = visit;
  await typeAt(page, "Full Name", "Ada Lovelace");
  await typeAt(page, "Email Address", "ada@keys.example");
  await typeAt(page, "Password", "password1");
  await typeAt(page, "Confirm Password", "password1");
  await pressAt(page, "Create administrator account");
  await page.getByText(authTexts.passwordCommon).waitFor();
  await page.locator("[name=password]:focus").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(password);
  await typeAt(page, "Confirm Password", password);
  await page.keyboard.press("Enter");
  await page.getByLabel("Site name").waitFor();
  await pressAt(page, "Skip");
  await page.waitForURL("**/admin");
  await page.getByText("Admin Access Granted").waitFor();
  await leave(visit);
  await fresh.stop();
  removeFolder(fresh.dataDir);
});
