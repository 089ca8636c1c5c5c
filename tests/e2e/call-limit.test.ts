import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { authTexts, tooManyAttempts } from "#contract/auth-texts.ts";
import { openLive } from "./live.ts";
import { field, openSettingsStage, type SettingsStage } from "./settings-stage.ts";

let settings: SettingsStage;

beforeAll(async () => {
  settings = await openSettingsStage();
}, 90_000);

afterAll(() => settings.stage.close());

const refusal = (message: string, headers: Record<string, string>) => ({
  status: 429,
  headers,
  json: { success: false, code: "RATE_LIMITED", message, requestId: "r" },
});

const beyondLimit = refusal("Slower, please", {
  RateLimit: '"core";r=0;t=200',
  "RateLimit-Policy": '"core";q=100;w=900',
  "Retry-After": "200",
});

test("a check of the session that comes too often signs nobody out and keeps what is not saved", async () => {
  const { page, context } = await settings.openSettings();
  await field(page, "Message").fill("Not saved yet");
  await page.route("**/api/auth/user", (route) => route.fulfill(beyondLimit));
  const checked = page.waitForResponse("**/api/auth/user");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await (await checked).finished();
  // A sign-out leads away from the page in the same turn in which the answer has been read.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  expect(new URL(page.url()).pathname).toBe("/admin/settings");
  expect(await field(page, "Message").inputValue()).toBe("Not saved yet");
  await context.close();
});

describe("whoever signs in", () => {
  const signIn = async (page: Page, answer: ReturnType<typeof refusal>) => {
    await page.route("**/api/auth/login", (route) => route.fulfill(answer));
    await openLive(page, `${settings.stage.url}/login`);
    await page.getByLabel("Email", { exact: true }).fill("grace@example.test");
    await page.getByLabel("Password", { exact: true }).fill("some password");
    await page.getByRole("button", { name: "Sign In" }).click();
  };
  const alert = (page: Page) => page.getByRole("alert");
  const newPassword = (page: Page) => alert(page).getByRole("link", { name: "Set a new password" });

  test("after too many calls is told how long to wait, and not to set a new password", async () => {
    const { page, context } = await settings.stage.open("visitor");
    await signIn(page, beyondLimit);
    await alert(page).getByText("Slower, please. Please try again in 4 minutes.", { exact: true }).waitFor();
    expect(await newPassword(page).count()).toBe(0);
    await context.close();
  });

  test("after too many wrong passwords is told how long to wait, and that a new password ends it", async () => {
    for (const message of [tooManyAttempts(200), authTexts.signInNeedsReset]) {
      const { page, context } = await settings.stage.open("visitor");
      await signIn(page, refusal(message, { RateLimit: '"core";r=40;t=700', "Retry-After": "200" }));
      await alert(page).getByText(message, { exact: true }).waitFor();
      await newPassword(page).waitFor();
      await context.close();
    }
  });
});
