import { expect, test } from "bun:test";
import { field, settingsStageForFile } from "./settings-stage.ts";

const settings = await settingsStageForFile();

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

test("too many session checks sign no one out and keep unsaved changes", async () => {
  const { page } = await settings.openSettings();
  await field(page, "Message").fill("Not saved yet");
  await page.route("**/api/auth/user", (route) => route.fulfill(beyondLimit));
  const checked = page.waitForResponse("**/api/auth/user");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await (await checked).finished();
  // A sign-out leads away from the page in the same turn in which the answer has been read.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  expect(new URL(page.url()).pathname).toBe("/admin/settings");
  expect(await field(page, "Message").inputValue()).toBe("Not saved yet");
});
