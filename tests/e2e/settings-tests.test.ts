import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { settingsTexts } from "#contract/settings.ts";
import { findRedis, type RedisServer, startRedis } from "../services/redis.ts";
import { comesTo } from "./live.ts";
import { button, field, section, settingsStageForFile } from "./settings-stage.ts";

const settings = await settingsStageForFile();
let redis: RedisServer | null = null;

beforeAll(async () => {
  if (findRedis() !== null) redis = await startRedis();
}, 90_000);

afterAll(async () => {
  redis?.stop();
});

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

const dialog = (page: Page, title: string) => page.getByRole("dialog", { name: title, exact: true });

describe("a connection test", () => {
  test("can be begun only once everything it needs is there and valid", async () => {
    const { page } = await settings.openSettings();
    const isOff = (name: string) => button(page, name).isDisabled();
    await comesTo(() => isOff("Test Redis Connection"), true);
    await comesTo(() => isOff("Test R2 Connection"), true);
    await field(page, "Redis URL").fill("nonsense");
    await comesTo(() => isOff("Test Redis Connection"), true);
    await field(page, "Redis URL").fill("redis://127.0.0.1:6399");
    await comesTo(() => isOff("Test Redis Connection"), false);
    await field(page, "Bucket Name").fill("packages");
    await field(page, "S3 Endpoint").fill(
      "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com",
    );
    await field(page, "Access Key ID").fill("an-access-key-id-1");
    await comesTo(() => isOff("Test R2 Connection"), true);
    await field(page, "Secret Access Key").fill("a-secret-key-of-length");
    await comesTo(() => isOff("Test R2 Connection"), false);
    await field(page, "Max Requests").fill("1");
    await comesTo(() => isOff("Test Rate Limiting"), true);
  });

  test("of a Redis that is not there shows why and what to do, can be copied and tried again", async () => {
    const { page, context } = await settings.openSettings();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await field(page, "Redis URL").fill("redis://127.0.0.1:65535");
    await button(page, "Test Redis Connection").click();
    const result = dialog(page, settingsTexts.redisFails);
    await result.getByRole("listitem").first().waitFor();
    await comesTo(() => focusedText(page), "Close");
    const advice = await result.getByText(/^Check /).allTextContents();
    expect(advice).toEqual([...new Set(advice)]);
    await result.getByRole("button", { name: "Copy as text" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith(settingsTexts.redisFails);
    const again = page.waitForResponse("**/test-redis");
    await result.getByRole("button", { name: "Test again" }).click();
    expect((await again).status()).toBe(422);
    await comesTo(() => focusedText(page), "Test again");
    await page.keyboard.press("Escape");
    await result.waitFor({ state: "detached" });
    await comesTo(() => focusedText(page), "Test Redis Connection");
    expect(await field(page, "Redis URL").inputValue()).toBe("redis://127.0.0.1:65535");
  });

  test.if(findRedis() !== null)(
    "of a real Redis works with the values in the form, and names a wrong password",
    async () => {
      const { page, context } = await settings.openSettings();
      await field(page, "Redis URL").fill(`redis://127.0.0.1:${redis?.port}`);
      await field(page, "Redis Password").fill("not this one");
      await button(page, "Test Redis Connection").click();
      await dialog(page, settingsTexts.redisFails).getByRole("button", { name: "Close" }).click();
      await field(page, "Redis Password").fill(redis?.password ?? "");
      await button(page, "Test Redis Connection").click();
      await dialog(page, settingsTexts.redisWorks).getByRole("listitem").first().waitFor();
      await dialog(page, settingsTexts.redisWorks).getByRole("button", { name: "Close" }).click();
      await button(page, "Save").click();
      await section(page, "Redis Configuration").getByText("Up", { exact: true }).waitFor();
      await context.close();
      await settings.put("credentials", { redis: { endpoint: "" } });
    },
  );

  test("of the limiter runs the real one and shows its steps", async () => {
    const { page } = await settings.openSettings();
    await button(page, "Test Rate Limiting").click();
    await dialog(page, settingsTexts.limiterWorks).getByRole("listitem").first().waitFor();
  });

  test("that gets no answer says that the network failed", async () => {
    const { page } = await settings.openSettings();
    await page.route("**/api/auth/settings/test-rate-limit", (route) => route.abort());
    await button(page, "Test Rate Limiting").click();
    const result = dialog(page, settingsTexts.limiterFails);
    await result.getByText(settingsTexts.testUnreachable("rate limiting")).waitFor();
  });

  test("of a server that must not be called puts the refusal beside its field as well", async () => {
    const { page } = await settings.openSettings();
    await field(page, "Redis URL").fill("redis://169.254.169.254");
    await field(page, "Redis Password").fill("entered again");
    await button(page, "Test Redis Connection").click();
    await dialog(page, settingsTexts.redisFails).getByText(settingsTexts.addressRefused).waitFor();
    await page.keyboard.press("Escape");
    // It cannot be pressed again before the field is mended, but the keyboard goes on from there.
    await comesTo(() => focusedText(page), "Test Redis Connection");
    await comesTo(() => button(page, "Test Redis Connection").isDisabled(), true);
    await section(page, "Redis Configuration").getByText(settingsTexts.addressRefused).waitFor();
  });

  test("of email goes to the signed-in admin unless another address is entered", async () => {
    const { page } = await settings.openSettings();
    const to = field(page, "Send test email to");
    await comesTo(() => to.inputValue(), "ada@example.test");
    await to.fill("nobody");
    await comesTo(() => button(page, "Send test email").isDisabled(), true);
    await to.fill("grace@example.test");
    await button(page, "Send test email").click();
    await page
      .getByRole("dialog", { name: /^Email Test / })
      .getByRole("listitem")
      .first()
      .waitFor();
  });
});
