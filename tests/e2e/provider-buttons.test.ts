import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type MockOpenId, startMockOpenId } from "#api/testing/identity/mock-open-id.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { accountTexts, unlinked } from "#contract/account-texts.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { addUser, userPassword } from "../driver/add-user.ts";
import { launchBrowser, openPage } from "../driver/browser.ts";
import { mailedLink } from "../driver/outbox.ts";
import { giveSession } from "../driver/people.ts";
import { removeFolder, type ServerProcess } from "../driver/start-server.ts";
import { startWithPeople } from "../driver/start-with-people.ts";
import { pressAt } from "./keyboard.ts";
import { noteLive, openLive } from "./live.ts";

let browser: Browser;
let server: ServerProcess;
let google: MockOpenId;
let admin: string;

// Google is set up at this server, GitHub is not.
beforeAll(async () => {
  google = await startMockOpenId();
  const started = await startWithPeople({ env: google.env });
  server = started.server;
  admin = started.cookies.admin;
  browser = await launchBrowser();
}, 90_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  await google.stop();
  removeFolder(server.dataDir);
});

const openWindow = async (cookie: string | null = null) => {
  const watched = await openPage(browser, { width: 1280, theme: "light" });
  if (cookie !== null) await giveSession(watched.context, server.url, cookie);
  await noteLive(watched.page);
  return watched;
};

const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name });
const method = (page: Page, name: string) =>
  page.getByRole("region", { name: "Sign-in methods" }).getByRole("listitem").filter({ hasText: name });

describe("the social buttons", () => {
  test("lead a newcomer through the provider, to where they wanted to go", async () => {
    google.become(newMockPerson({ name: "Nia Newcomer" }));
    const { page, context, complaints } = await openWindow();
    await openLive(page, `${server.url}/login?from=%2Fabout`);
    await link(page, "Google").click();
    await page.waitForURL(`${server.url}/about`);
    await page.getByRole("button", { name: "Account menu" }).getByText("NN").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("the account page of somebody without a password", () => {
  const comeIn = async () => {
    const person = newMockPerson();
    google.become(person);
    const window = await openWindow();
    await openLive(window.page, `${server.url}/login`);
    await link(window.page, "Google").click();
    await window.page.waitForURL("**/dashboard");
    return { ...window, email: person.email ?? "" };
  };

  test("keeps the last way in and says why, and has a link mailed that sets a password", async () => {
    const { page, context, email } = await comeIn();
    expect(await page.getByRole("button", { name: "Unlink Google" }).isDisabled()).toBe(true);
    await method(page, "Google").getByText("This is your only way to sign in.").waitFor();
    await page.getByRole("button", { name: "Mail me a link to set one" }).click();
    await page.getByText(authTexts.resetMailSent).waitFor();
    expect(await mailedLink(server.dataDir, email, "/reset-password")).toContain(server.url);
    await context.close();
  });

  test("deletes the account without one while the sign-in is fresh", async () => {
    const { page, context, email } = await comeIn();
    await page.getByRole("button", { name: "Delete account…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.locator("[type=password]").count()).toBe(0);
    await dialog.getByLabel("Type your e-mail address to confirm").fill(email);
    await dialog.getByRole("button", { name: "Delete my account" }).click();
    await page.waitForURL(`${server.url}/`);
    await page.getByText(accountTexts.deleted).waitFor();
    await context.close();
  });
});

describe("linking", () => {
  const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Link Google?" });

  test("asks for the password, ends with a notice on the account page, and unlinking asks first", async () => {
    google.become(newMockPerson());
    const person = await addUser(server.url, admin, { name: "Lin Example", email: "link@example.test" });
    const { page, context, complaints } = await openWindow(person.cookie);
    await openLive(page, `${server.url}/dashboard`);
    await pressAt(page, "Link Google");
    await dialogOf(page).getByText("Whoever can use that one can sign in here as you").waitFor();
    await dialogOf(page).locator("[name=password]:focus").waitFor();
    await page.keyboard.press("Enter");
    await dialogOf(page).getByText(authTexts.passwordRequired).waitFor();
    await page.keyboard.type("not my password");
    await page.keyboard.press("Enter");
    await dialogOf(page).getByText(accountTexts.passwordWrong).waitFor();
    await dialogOf(page).locator("[name=password][aria-invalid=true]:focus").waitFor();
    expect((await person.call("GET", "/api/auth/user")).body).toMatchObject({ googleId: null });
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(userPassword);
    await page.keyboard.press("Enter");
    await page.getByText("Google is linked to your account.").waitFor();
    expect(page.url()).toBe(`${server.url}/dashboard`);
    await method(page, "Google").getByText("Linked", { exact: true }).waitFor();
    await page.getByRole("main").getByText("Google", { exact: true }).first().waitFor();
    await pressAt(page, "Unlink Google");
    await page.getByRole("dialog", { name: "Unlink Google?" }).waitFor();
    await pressAt(page, "Unlink Google");
    await page.getByText(unlinked("Google")).waitFor();
    await page.getByRole("button", { name: "Link Google" }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("is not begun when the question is left by Escape, even while the server is asked; the focus comes back", async () => {
    const person = await addUser(server.url, admin, { name: "Esc Example", email: "no-link@example.test" });
    const { page, context } = await openWindow(person.cookie);
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route("**/api/account/connections/google", async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await openLive(page, `${server.url}/dashboard`);
    await pressAt(page, "Link Google");
    await dialogOf(page).locator("[name=password]:focus").waitFor();
    await page.keyboard.type(userPassword);
    await page.keyboard.press("Enter");
    await asked.promise;
    const goOn = dialogOf(page).getByRole("button", { name: "Continue to Google" });
    expect([await goOn.isDisabled(), await goOn.getAttribute("aria-busy")]).toEqual([true, "true"]);
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    await page.locator("button:focus[aria-label='Link Google']").waitFor();
    const answered = page.waitForResponse("**/api/account/connections/google");
    released.resolve();
    expect((await answered).status()).toBe(200);
    await page.getByRole("button", { name: "Link Google" }).click();
    await dialogOf(page).waitFor();
    expect(page.url()).toBe(`${server.url}/dashboard`);
    await context.close();
  });

  test("without a password is refused in an old session, and leads to a fresh one and back", async () => {
    const identity = newMockPerson();
    google.become(identity);
    const { page, context } = await openWindow();
    await openLive(page, `${server.url}/login`);
    await link(page, "Google").click();
    await page.waitForURL("**/dashboard");
    // As it would be for somebody who uses GitHub, on a server that has Google too.
    await page.route("**/api/account", async (route) => {
      const answer = await (await route.fetch()).json();
      answer.data.providers.google.linked = false;
      await route.fulfill({ json: answer });
    });
    await page.route("**/api/account/connections/google", (route) =>
      route.fulfill({
        status: 403,
        json: { success: false, code: "REAUTHENTICATION_REQUIRED", message: accountTexts.signInAgain },
      }),
    );
    await page.reload();
    await page.getByRole("button", { name: "Link Google" }).click();
    expect(await dialogOf(page).locator("[type=password]").count()).toBe(0);
    await dialogOf(page).getByText("Your account has no password to confirm this with").waitFor();
    await dialogOf(page).getByRole("button", { name: "Continue to Google" }).click();
    await dialogOf(page).getByText(accountTexts.signInAgain).waitFor();
    await dialogOf(page).getByRole("button", { name: "Sign in again" }).click();
    await page.waitForURL("**/login?from=%2Fdashboard");
    await context.close();
  });

  test("an identity of somebody else is refused, and the account page says so", async () => {
    const identity = newMockPerson();
    google.become(identity);
    const owner = await openWindow();
    await openLive(owner.page, `${server.url}/login`);
    await link(owner.page, "Google").click();
    await owner.page.waitForURL("**/dashboard");
    const person = await addUser(server.url, admin, { name: "Eve Example", email: "eve@example.test" });
    const { page, context } = await openWindow(person.cookie);
    await openLive(page, `${server.url}/dashboard`);
    await page.getByRole("button", { name: "Link Google" }).click();
    await dialogOf(page).getByLabel("Your Password").fill(userPassword);
    await dialogOf(page).getByRole("button", { name: "Continue to Google" }).click();
    await page
      .getByText("This account is linked to somebody else already or the provider refused.")
      .waitFor();
    await method(page, "Google").getByText("Not linked").waitFor();
    await context.close();
    await owner.context.close();
  });
});
