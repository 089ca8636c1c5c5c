import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { inOrder } from "#api/testing/in-order.ts";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { launchBrowser, openPage, type WatchedPage } from "../driver/browser.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

const password = "a rather fine long password";
let browser: Browser;
let sink: SmtpSink;
let server: ServerProcess;
let person: WatchedPage;

beforeAll(async () => {
  sink = await startSmtpSink();
  server = await startServer({ env: { SMTP_URL: sink.url, MAIL_FROM: "Atrium <atrium@example.test>" } });
  browser = await launchBrowser();
  person = await openPage(browser, { width: 1280, theme: "light" });
}, 90_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  await sink.down();
  removeFolder(server.dataDir);
});

const go = (path: string) => person.page.goto(`${server.url}${path}`);
const heading = (name: string | RegExp) => person.page.getByRole("heading", { level: 1, name });
const path = () => new URL(person.page.url()).pathname;

// The admin finds those in the list who came before.
const step = inOrder();

describe("a person's way through the product", () => {
  step("registers, and what was typed survives a refusal", async () => {
    const { page } = person;
    await go("/register");
    await page.getByLabel("Full Name").fill("Grace Hopper");
    await page.getByLabel("Email Address").fill("grace@example.test");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Confirm Password").fill("something else");
    await page.getByRole("button", { name: "Create Account" }).click();
    await page.getByText("Passwords do not match").waitFor();
    expect(await page.getByLabel("Full Name").inputValue()).toBe("Grace Hopper");
    await page.getByLabel("Confirm Password").fill(password);
    await page.getByRole("button", { name: "Create Account" }).click();
    await page.waitForURL("**/verify");
  });

  step("follows the link of a real email and is redirected to the sign-in after 3 seconds", async () => {
    const { page } = person;
    await sink.received(1);
    const mail = sink.mails[0];
    expect(mail?.recipients).toEqual(["grace@example.test"]);
    const link = /https?:\/\/\S+\/verify-email\?token=[\w-]{43}/.exec(mail?.text ?? "")?.[0] ?? "";
    expect(mail?.html).toContain(link);
    expect(mail?.html).not.toMatch(/(src|background)=/);
    await page.clock.install();
    await page.goto(link);
    await page.getByText("Email verified successfully! Redirecting to login...").waitFor();
    expect(person.page.url()).not.toContain("token=");
    await page.clock.fastForward(3_000);
    await page.waitForURL("**/login");
  });

  step("a second visit of the link says that it is no longer valid", async () => {
    const { page } = await openPage(browser, { width: 390, theme: "dark" });
    const link = /https?:\/\/\S+\/verify-email\?token=[\w-]{43}/.exec(sink.mails[0]?.text ?? "")?.[0] ?? "";
    await page.goto(link);
    await page.getByText("Invalid or expired verification token").waitFor();
    await page.context().close();
  });

  step("signs in, is led back to where they wanted to go, and sees the dashboard", async () => {
    person = await openPage(browser, { width: 1280, theme: "light" });
    const { page } = person;
    await go("/dashboard");
    await page.waitForURL("**/login?**");
    await page.getByLabel("Email").fill("grace@example.test");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Password", { exact: true }).press("Enter");
    await page.waitForURL("**/dashboard");
    await heading("Dashboard").waitFor();
    await page.getByRole("main").getByText("grace@example.test").first().waitFor();
  });

  step("is not let into the admin area", async () => {
    await go("/admin");
    await person.page.waitForURL("**/dashboard");
    expect(path()).toBe("/dashboard");
  });

  step("a reload shows the dashboard immediately, without a gate", async () => {
    await go("/dashboard");
    const html = await (await person.context.request.get(`${server.url}/dashboard`)).text();
    expect(html).toContain("grace@example.test");
    await heading("Dashboard").waitFor();
  });

  step("signs out after a question, and comes to the front page", async () => {
    const { page } = person;
    await page
      .getByRole("banner")
      .getByRole("button", { name: /Grace|account/i })
      .click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm Logout" });
    await dialog.getByText("Are you sure you want to logout?").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(path()).toBe("/dashboard");
    await page
      .getByRole("banner")
      .getByRole("button", { name: /Grace|account/i })
      .click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await dialog.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(`${server.url}/`);
    await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
  });

  step("nothing was loaded from elsewhere but the avatar, and no page complained", () => {
    const unexpected = person.foreign.filter((url) => !url.startsWith("https://www.gravatar.com/avatar/"));
    expect(unexpected).toEqual([]);
    expect(person.complaints).toEqual([]);
  });
});

describe("the operator and the admin", () => {
  step("an admin made in the terminal opens the admin area and sees its real state", async () => {
    const words = ["admin", "create", "--email", "ada@example.test", "--name", "Ada", "--password-stdin"];
    const made = await runCommand(words, { env: { DATA_DIR: server.dataDir }, input: `${password}\n` });
    expect([made.exitCode, made.stderr]).toEqual([0, expect.any(String)]);
    person = await openPage(browser, { width: 1280, theme: "dark" });
    const { page } = person;
    await go("/admin");
    await page.waitForURL("**/login?**");
    await page.getByLabel("Email").fill("ada@example.test");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await page.waitForURL("**/admin");
    await page.getByText("Admin Access Granted").waitFor();
    await page.getByText("System Information").waitFor();
    await page.getByText("ada@example.test").first().waitFor();
  });

  step("the list of users finds users by name or email address", async () => {
    const { page } = person;
    await go("/admin/users");
    await page
      .getByRole("cell", { name: /grace@example.test/ })
      .first()
      .waitFor();
    await page.getByLabel("Search").fill("ada@");
    await page
      .getByRole("cell", { name: /grace@example.test/ })
      .first()
      .waitFor({ state: "detached" });
    await page
      .getByRole("cell", { name: /ada@example.test/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("ada@");
    expect(person.complaints).toEqual([]);
  });
});

describe("the first start", () => {
  test("prints a link that creates the first admin in the browser, once", async () => {
    const fresh = await startServer();
    expect(fresh.setupLink).toStartWith(`http://localhost:`);
    const visit = await openPage(browser, { width: 768, theme: "light" });
    // Pressed before the page can act on it: it does once it can.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visit.page.route("**/assets/main-*.js", async (route) => {
      await held;
      await route.continue();
    });
    await visit.page.goto(fresh.setupLink ?? "", { waitUntil: "domcontentloaded" });
    await visit.page.getByLabel("Full Name").fill("Ada Lovelace");
    await visit.page.getByLabel("Email Address").fill("ada@example.test");
    await visit.page.getByLabel("Password", { exact: true }).fill(password);
    await visit.page.getByLabel("Confirm Password").fill(password);
    await visit.page.getByRole("button", { name: "Create administrator account" }).click();
    release();
    await visit.page.getByLabel("Site name").fill("Northwind");
    await visit.page.getByLabel("Who may register").selectOption("Invited users only");
    await visit.page.getByRole("button", { name: "Save and continue" }).click();
    await visit.page.waitForURL("**/admin");
    await visit.page.getByText("Admin Access Granted").waitFor();
    expect(await visit.page.title()).toBe("Overview · Northwind admin");
    expect(visit.complaints).toEqual([]);
    const again = await openPage(browser, { width: 768, theme: "light" });
    await again.page.goto(fresh.setupLink ?? "");
    await again.page.getByText("Invalid or expired setup link").waitFor();
    expect(await again.page.locator("form:visible").count()).toBe(0);
    await fresh.stop();
    const next = await startServer({ dataDir: fresh.dataDir });
    expect(next.setupLink).toBeNull();
    await next.stop();
    removeFolder(fresh.dataDir);
  });
});

describe("pages of the shell", () => {
  test("an unknown path is the 404 page with its status, and leads home", async () => {
    const { page } = await openPage(browser, { width: 390, theme: "light", touch: true });
    const response = await page.goto(`${server.url}/no/such/page`);
    expect(response?.status()).toBe(404);
    await page.getByRole("heading", { level: 1, name: "Page Not Found" }).waitFor();
    await page.getByRole("link", { name: "Back to Home" }).click();
    await page.waitForURL(`${server.url}/`);
    await page.context().close();
  });

  test("the theme follows the system, can be chosen, and is kept without a flash", async () => {
    const { page } = await openPage(browser, { width: 1280, theme: "dark" });
    await page.goto(`${server.url}/`);
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
    expect(await isDark()).toBe(true);
    await page.evaluate(() => localStorage.setItem("theme-mode", "light"));
    await page.reload({ waitUntil: "commit" });
    await page.waitForSelector("h1");
    expect(await isDark()).toBe(false);
    await page.context().close();
  });

  test("a new page begins at its top", async () => {
    const { page } = await openPage(browser, { width: 1280, theme: "light" });
    await page.goto(`${server.url}/`);
    await page.mouse.wheel(0, 2_000);
    await page.waitForFunction(() => window.scrollY > 100);
    await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
    await page.waitForURL("**/login");
    await page.waitForFunction(() => window.scrollY === 0);
    await page.context().close();
  });

  test("the drawer of a narrow screen is at most 320 px wide and closes with Escape", async () => {
    const { page } = await openPage(browser, { width: 390, theme: "light", touch: true });
    await page.goto(`${server.url}/`);
    await page.getByRole("button", { name: /menu/i }).click();
    const drawer = page.getByRole("dialog");
    await drawer.waitFor();
    expect((await drawer.boundingBox())?.width).toBeLessThanOrEqual(320);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    await page.context().close();
  });
});
