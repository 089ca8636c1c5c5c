import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { failureOf } from "#api/testing/failure-of.ts";
import { accountTexts } from "#contract/account-texts.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { addUser, signInAs, userPassword } from "../driver/add-user.ts";
import { launchBrowser, openPage } from "../driver/browser.ts";
import { giveSession } from "../driver/people.ts";
import type { Person } from "../driver/person.ts";
import { removeFolder, type ServerProcess } from "../driver/start-server.ts";
import { startWithPeople } from "../driver/start-with-people.ts";
import { pressAt, typeAt } from "./keyboard.ts";
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

/** Opens the dashboard with somebody's session. */
const openAs = async (cookie: string | null, path = "/dashboard") => {
  const watched = await openPage(browser, { width: 1280, theme: "light" });
  await giveSession(watched.context, server.url, cookie ?? "");
  await noteLive(watched.page);
  await openLive(watched.page, `${server.url}${path}`);
  await watched.page.getByRole("button", { name: "Delete account…" }).waitFor();
  return watched;
};

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const isSignedIn = async (person: Person) => (await person.call("GET", "/api/auth/user")).status === 200;

describe("the account page, by keyboard alone", () => {
  test("changes the name, which the header follows, and says why one will not do", async () => {
    const person = await addUser(server.url, admin, { name: "Nora Example", email: "name@example.test" });
    const { page, context, complaints } = await openAs(person.cookie);
    await typeAt(page, "Full Name", " ");
    await page.keyboard.press("Enter");
    await card(page, "Profile").getByText(authTexts.nameRequired).waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Zoë Quill");
    await page.keyboard.press("Enter");
    await page.getByText(accountTexts.renamed).waitFor();
    await page.getByRole("banner").getByText("ZQ").waitFor();
    await page.reload();
    await page.getByRole("banner").getByText("ZQ").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("leaves the server alone when the name is as it was", async () => {
    const person = await addUser(server.url, admin, { name: "Same Name", email: "same@example.test" });
    const { page, context } = await openAs(person.cookie);
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "PUT" && sent.push(request.url()));
    await typeAt(page, "Full Name", " Same Name ");
    await page.keyboard.press("Enter");
    await typeAt(page, "Full Name", "Other Name");
    await page.keyboard.press("Enter");
    await page.getByText(accountTexts.renamed).waitFor();
    expect(sent).toEqual([`${server.url}/api/account/name`]);
    await context.close();
  });

  test("W5: changes the password, which signs out every other browser but not this one", async () => {
    const email = "password@example.test";
    const elsewhere = await addUser(server.url, admin, { name: "Pat Example", email });
    const here = await signInAs(server.url, email);
    const { page, context } = await openAs(here.cookie);
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
    expect(await page.getByLabel("Current Password").inputValue()).toBe("");
    await card(page, "Sessions").getByRole("listitem").nth(1).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
    await signInAs(server.url, email, newPassword);
    await context.close();
  });

  test("ends one session, then all others", async () => {
    const email = "sessions@example.test";
    const [first, second, third] = [
      await addUser(server.url, admin, { name: "Sid Example", email }),
      await signInAs(server.url, email),
      await signInAs(server.url, email),
    ];
    const here = await signInAs(server.url, email);
    const { page, context } = await openAs(here.cookie);
    const rows = card(page, "Sessions").getByRole("listitem");
    await rows.nth(3).waitFor();
    expect(await rows.count()).toBe(4);
    await rows.first().getByText("This device").waitFor();
    await rows.first().getByText("127.0.0.1").waitFor();
    for (const time of await rows.nth(1).locator("time").all())
      expect(await time.getAttribute("title")).toMatch(/\d{4}.*\d{1,2}:\d{2}/);
    await rows
      .nth(1)
      .getByText(/Signed in \S.*\d{1,2}:\d{2}/)
      .waitFor();
    const name = (await rows.nth(1).getByRole("button").getAttribute("aria-label")) ?? "";
    await pressAt(page, name);
    await page.getByText(accountTexts.sessionEnded).waitFor();
    await rows.nth(3).waitFor({ state: "detached" });
    const others = [first, second, third];
    expect((await Promise.all(others.map(isSignedIn))).filter(Boolean)).toHaveLength(2);
    await pressAt(page, "Sign out everywhere else");
    await pressAt(page, "Sign out the others");
    await page.getByText(accountTexts.othersEnded).waitFor();
    await rows.nth(1).waitFor({ state: "detached" });
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false, false]);
    expect(await page.getByRole("button", { name: "Sign out everywhere else" }).count()).toBe(0);
    await page.reload();
    await rows.first().getByText("This device").waitFor();
    await context.close();
  });

  test("downloads everything that is kept about somebody, without secrets", async () => {
    const email = "export@example.test";
    const person = await addUser(server.url, admin, { name: "Exa Example", email });
    const { page, context } = await openAs(person.cookie);
    const [download] = await Promise.all([page.waitForEvent("download"), pressAt(page, "Download JSON")]);
    expect(download.suggestedFilename()).toBe("atrium-account.json");
    const text = readFileSync(await download.path(), "utf8");
    expect(JSON.stringify(JSON.parse(text))).toContain(email);
    expect(text).not.toContain("argon2");
    await context.close();
  });

  test("deletes the account, once the address and the right password were typed", async () => {
    const email = "delete@example.test";
    const person = await addUser(server.url, admin, { name: "Del Example", email });
    const { page, context, complaints } = await openAs(person.cookie);
    await pressAt(page, "Delete account…");
    const dialog = page.getByRole("dialog", { name: "Delete your account?" });
    await dialog.getByText("all your devices are signed out").waitFor();
    await dialog.locator("[name=password]:focus").waitFor();
    await page.keyboard.type("not my password");
    await typeAt(page, "Type your e-mail address to confirm", "someone@example.test");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not the address of your account").waitFor();
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

  test("an account is kept when the question is left by Escape, and the focus comes back", async () => {
    const person = await addUser(server.url, admin, { name: "Esc Example", email: "escape@example.test" });
    const { page, context } = await openAs(person.cookie);
    await pressAt(page, "Delete account…");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("button:focus").filter({ hasText: "Delete account…" }).waitFor();
    expect(await isSignedIn(person)).toBe(true);
    await context.close();
  });
});

describe("the account page", () => {
  test("tells the last administrator why the account stays", async () => {
    const { page, context } = await openAs(admin);
    expect(await page.getByRole("button", { name: "Delete account…" }).isDisabled()).toBe(true);
    await page.getByText("You are the only administrator").waitFor();
    await context.close();
  });

  test("names the providers that the server does not offer", async () => {
    const { page, context } = await openAs(admin);
    const methods = card(page, "Sign-in methods");
    await methods.getByText("Google sign-in is not set up on this server.").waitFor();
    await methods.getByText("GitHub sign-in is not set up on this server.").waitFor();
    expect(await methods.getByRole("button").count()).toBe(0);
    await context.close();
  });

  test("says once that linking failed, and the address forgets it", async () => {
    const { page, context } = await openAs(admin, "/dashboard?error=link_failed");
    const words = "This account is linked to somebody else already or the provider refused.";
    await page.getByRole("alert").getByText(words).waitFor();
    expect(page.url()).toBe(`${server.url}/dashboard`);
    await page.reload();
    await page.getByRole("heading", { name: "Sign-in methods" }).waitFor();
    expect(await page.getByText(words).count()).toBe(0);
    await context.close();
  });

  test("asks no other host but the avatar service, and is whole when that is away", async () => {
    const { page, context, foreign, complaints } = await openAs(admin);
    await page.waitForLoadState("networkidle");
    expect(foreign.length).toBeGreaterThan(0);
    for (const url of foreign)
      expect(url).toMatch(/^https:\/\/www\.gravatar\.com\/avatar\/[0-9a-f]{64}\?s=200&/);
    await page.getByRole("main").getByText("AL", { exact: true }).waitFor();
    expect(await page.getByRole("main").locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("says that the activity log is not in the download, and where to ask about it", async () => {
    const { page, context } = await openAs(admin);
    const data = card(page, "Your data");
    await data.getByText("The activity log").waitFor();
    const ask = data.getByRole("link", { name: "Ask whoever runs this site about it" });
    expect(await ask.getAttribute("href")).toBe("/contact");
    await context.close();
  });

  test("says once what the server refuses of several cards, and shows them all when tried again", async () => {
    const watched = await openPage(browser, { width: 1280, theme: "light" });
    const { page, context } = watched;
    await giveSession(context, server.url, admin);
    await page.route(/\/api\/account/, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`${server.url}/dashboard`);
    await page.getByText("A part of this page could not be loaded").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    await card(page, "Your data").waitFor();
    expect(await card(page, "Sessions").count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await card(page, "Sessions").getByText("This device").first().waitFor();
    await page.getByLabel("Current Password").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByText("You are the only administrator").waitFor();
    await context.close();
  });
});
