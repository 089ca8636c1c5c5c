import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startMockOpenId } from "#api/testing/identity/mock-open-id.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { accountTexts, authTexts, unlinked } from "#contract/auth-texts.ts";
import { addUser, userPassword } from "../driver/add-user.ts";
import { openPage } from "../driver/browser.ts";
import { browserForFile, peopledForFile } from "../driver/for-file.ts";
import { giveSession } from "../driver/people.ts";
import { pressAt } from "./keyboard.ts";
import { noteLive, openLive } from "./live.ts";

// Google is set up at this server, GitHub is not.
const google = await startMockOpenId();
const {
  server,
  cookies: { admin },
} = await peopledForFile({ env: google.env });
const browser = await browserForFile();

afterAll(() => google.stop());

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

describe("linking", () => {
  const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Link Google?" });

  test("asks for the password, ends with a notice on the account page, and unlinking asks first", async () => {
    google.become(newMockPerson());
    const person = await addUser(server.url, admin, { name: "Lin Example", email: "link@example.test" });
    const { page, context, complaints } = await openWindow(person.cookie);
    await openLive(page, `${server.url}/account/security`);
    await pressAt(page, "Link Google");
    await dialogOf(page).getByText("Anyone with access to it can sign in here as you").waitFor();
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
    expect(page.url()).toBe(`${server.url}/account/security`);
    await method(page, "Google").getByText("Linked", { exact: true }).waitFor();
    await pressAt(page, "Unlink Google");
    await page.getByRole("dialog", { name: "Unlink Google?" }).waitFor();
    await pressAt(page, "Unlink Google");
    await page.getByText(unlinked("Google")).waitFor();
    await page.getByRole("button", { name: "Link Google" }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("another user's identity is refused, and the account page says so", async () => {
    const identity = newMockPerson();
    google.become(identity);
    const owner = await openWindow();
    await openLive(owner.page, `${server.url}/login`);
    await link(owner.page, "Google").click();
    await owner.page.waitForURL("**/dashboard");
    const person = await addUser(server.url, admin, { name: "Eve Example", email: "eve@example.test" });
    const { page, context } = await openWindow(person.cookie);
    await openLive(page, `${server.url}/account/security`);
    await page.getByRole("button", { name: "Link Google" }).click();
    await dialogOf(page).getByLabel("Your Password").fill(userPassword);
    await dialogOf(page).getByRole("button", { name: "Continue to Google" }).click();
    await page
      .getByText("This account is already linked to another user, or the provider refused.")
      .waitFor();
    await method(page, "Google").getByText("Not linked").waitFor();
    await context.close();
    await owner.context.close();
  });
});
