import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { authTexts } from "#contract/auth-texts.ts";
import { type AccountSettings, accountSettings } from "#contract/core-settings.ts";
import { openPage, type WatchedPage } from "../driver/browser.ts";
import { browserForFile, serverForFile } from "../driver/for-file.ts";
import { mailedLink } from "../driver/outbox.ts";
import { createPerson } from "../driver/person.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { axeFindings } from "./axe-findings.ts";

const [server, browser] = await Promise.all([serverForFile(), browserForFile()]);

const own = "the owner's own long words";
const chosen = "words chosen at the link";
const strangers = "the stranger's own long words";

const newAddress = () => `olive.${crypto.randomUUID()}@verify.example`;

const registerElsewhere = async (email: string) => {
  const registration = { name: "Sam Stranger", email, password: strangers };
  expect((await createPerson(server.url).call("POST", "/api/auth/register", registration)).status).toBe(201);
};

const register = async (
  page: Page,
  { name, email, password }: Record<"name" | "email" | "password", string>,
) => {
  await page.goto(`${server.url}/register`);
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("Email Address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password").fill(password);
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.waitForURL("**/verify");
};

const follow = async (page: Page, email: string) =>
  page.goto(await mailedLink(server.dataDir, email, "/verify-email"));

/** Signs in on the page that a link has led to, which knows the address already. */
const signIn = async (page: Page, email: string, password: string) => {
  await page.waitForURL("**/login");
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await page.waitForURL("**/dashboard");
};

const opensFor = async (email: string, password: string) =>
  (await createPerson(server.url).call("POST", "/api/auth/login", { email, password })).status;

/** Fills in what the page of a link asks for, and waits until the account is made. */
const choose = async (page: Page, name: string) => {
  await page.getByRole("heading", { level: 1, name: "Choose your password" }).waitFor();
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("New Password", { exact: true }).fill(chosen);
  await page.getByLabel("Confirm Password").fill(chosen);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText(authTexts.accountCreated).waitFor();
};

const leave = async ({ context, complaints }: WatchedPage) => {
  await context.close();
  expect(complaints).toEqual([]);
};

describe("O6: in a real browser", () => {
  test("the one that registered verifies with its own password by a link that a stranger caused", async () => {
    const email = newAddress();
    await registerElsewhere(email);
    const visit = await openPage(browser, { width: 1280, theme: "light" });
    await register(visit.page, { name: "Olive Owner", email, password: own });
    const cookie = (await visit.context.cookies()).find(({ name }) => name === "pending");
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
    await follow(visit.page, email);
    await visit.page.getByText(authTexts.verified).waitFor();
    expect((await visit.context.cookies()).map(({ name }) => name)).not.toContain("pending");
    await signIn(visit.page, email, own);
    expect(await opensFor(email, strangers)).toBe(401);
    await leave(visit);
  });

  for (const theme of ["light", "dark"] as const)
    test(`any other asks for name and password, on a phone in ${theme} colors, and they count`, async () => {
      const email = newAddress();
      await registerElsewhere(email);
      const visit = await openPage(browser, { width: 390, theme });
      const { page } = visit;
      await follow(page, email);
      const heading = page.getByRole("heading", { level: 1, name: "Choose your password" });
      await heading.waitFor();
      // A reload, and a scanner that runs scripts, have used nothing up.
      await page.reload();
      await heading.waitFor();
      expect(await page.getByLabel("Full Name").inputValue()).toBe("");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      expect(await axeFindings(page)).toEqual([]);
      await choose(page, "Olive Owner");
      await signIn(page, email, chosen);
      expect(await opensFor(email, strangers)).toBe(401);
      await leave(visit);
    });

  test("one without scripts, as many scanners are, uses nothing up", async () => {
    const email = newAddress();
    const visit = await openPage(browser, { width: 1280, theme: "light" });
    await register(visit.page, { name: "Olive Owner", email, password: own });
    const scanner = await browser.newContext({ javaScriptEnabled: false });
    await follow(await scanner.newPage(), email);
    await scanner.close();
    await follow(visit.page, email);
    await visit.page.getByText(authTexts.verified).waitFor();
    await leave(visit);
  });

  test("a shared one says whose registration it was, and another password ends it", async () => {
    const email = newAddress();
    const visit = await openPage(browser, { width: 1280, theme: "light" });
    const { page } = visit;
    await register(page, { name: "Sam Stranger", email, password: strangers });
    await follow(page, email);
    await page.getByText("You signed up as Sam Stranger. Not you?").waitFor();
    await page.getByRole("link", { name: "Choose another password" }).click();
    await page.waitForURL("**/reset-password");
    await page.getByLabel("New Password", { exact: true }).fill(own);
    await page.getByLabel("Confirm New Password").fill(own);
    await page.getByRole("button", { name: "Reset Password" }).click();
    await page.getByText(authTexts.resetDone).waitFor();
    await signIn(page, email, own);
    expect(await opensFor(email, strangers)).toBe(401);
    await leave(visit);
  });

  test.each(["a%3E", "%20", "a%2Fb", "a".repeat(3_000)])(
    "a link that came mangled (%#) is refused in the specified words",
    async (token) => {
      const visit = await openPage(browser, { width: 1280, theme: "light" });
      await visit.page.goto(`${server.url}/verify-email?token=${token}`);
      await visit.page.getByText("Invalid or expired verification token").waitFor();
      await visit.page.getByRole("link", { name: "Get a new link" }).waitFor();
      await leave(visit);
    },
  );
});

describe("O6: in a real browser under always-choose", () => {
  const set = async (settings: AccountSettings) => {
    const saved = await asOperator(server.dataDir).ask("PUT", "/api/auth/settings/accounts", settings);
    expect(saved.status).toBe(200);
  };
  beforeAll(() => set({ ...accountSettings.defaults, verification: "always-choose" }));
  afterAll(() => set(accountSettings.defaults));

  test("the one that registered asks for name and password too, and they count", async () => {
    const email = newAddress();
    const visit = await openPage(browser, { width: 1280, theme: "light" });
    await register(visit.page, { name: "Sam Stranger", email, password: strangers });
    await follow(visit.page, email);
    await choose(visit.page, "Olive Owner");
    expect(await visit.page.getByText("Not you?").count()).toBe(0);
    await signIn(visit.page, email, chosen);
    expect(await opensFor(email, strangers)).toBe(401);
    await leave(visit);
  });
});
