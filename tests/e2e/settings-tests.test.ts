import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { settingsTexts } from "#contract/settings-texts.ts";
import { findRedis, type RedisServer, startRedis } from "../services/redis.ts";
import { button, field, openSettingsStage, type SettingsStage, section } from "./settings-stage.ts";

let settings: SettingsStage;
let redis: RedisServer | null = null;

beforeAll(async () => {
  settings = await openSettingsStage();
  if (findRedis() !== null) redis = await startRedis();
}, 90_000);

afterAll(async () => {
  redis?.stop();
  await settings.stage.close();
});

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

const dialog = (page: Page, title: string) => page.getByRole("dialog", { name: title, exact: true });

describe("a connection test", () => {
  test("can be begun only once everything it needs is there and valid", async () => {
    const { page, context } = await settings.openSettings();
    const isOff = (name: string) => button(page, name).isDisabled();
    expect([await isOff("Test Redis Connection"), await isOff("Test R2 Connection")]).toEqual([true, true]);
    await field(page, "Redis URL").fill("nonsense");
    expect(await isOff("Test Redis Connection")).toBe(true);
    await field(page, "Redis URL").fill("redis://127.0.0.1:6399");
    expect(await isOff("Test Redis Connection")).toBe(false);
    await field(page, "Bucket Name").fill("packages");
    await field(page, "S3 Endpoint").fill(
      "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com",
    );
    await field(page, "Access Key ID").fill("an-access-key-id-1");
    expect(await isOff("Test R2 Connection")).toBe(true);
    await field(page, "Secret Access Key").fill("a-secret-key-of-length");
    expect(await isOff("Test R2 Connection")).toBe(false);
    await field(page, "Max Requests").fill("1");
    expect(await isOff("Test Rate Limiting")).toBe(true);
    await context.close();
  });

  test("of a Redis that is not there shows why and what to do, can be copied and tried again", async () => {
    const { page, context } = await settings.openSettings();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await field(page, "Redis URL").fill("redis://127.0.0.1:65535");
    await button(page, "Test Redis Connection").click();
    const result = dialog(page, settingsTexts.redisFails);
    await result.getByRole("listitem").first().waitFor();
    expect(await focusedText(page)).toBe("Close");
    const advice = await result.getByText(/^Check /).allTextContents();
    expect(advice).toEqual([...new Set(advice)]);
    await result.getByRole("button", { name: "Copy as text" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith(settingsTexts.redisFails);
    const again = page.waitForResponse("**/test-redis");
    await result.getByRole("button", { name: "Test again" }).click();
    expect((await again).status()).toBe(422);
    expect(await focusedText(page)).toBe("Test again");
    await page.keyboard.press("Escape");
    await result.waitFor({ state: "detached" });
    expect(await focusedText(page)).toBe("Test Redis Connection");
    expect(await field(page, "Redis URL").inputValue()).toBe("redis://127.0.0.1:65535");
    await context.close();
  });

  test.if(findRedis() !== null)(
    "of a real Redis works with what stands in the form, and names a wrong password",
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
    },
  );

  test("of the limiter runs the real one and shows its steps", async () => {
    const { page, context } = await settings.openSettings();
    await button(page, "Test Rate Limiting").click();
    await dialog(page, settingsTexts.limiterWorks).getByRole("listitem").first().waitFor();
    await context.close();
  });

  test("that gets no answer says that the network failed", async () => {
    const { page, context } = await settings.openSettings();
    await page.route("**/api/auth/settings/test-rate-limit", (route) => route.abort());
    await button(page, "Test Rate Limiting").click();
    const result = dialog(page, settingsTexts.limiterFails);
    await result.getByText(settingsTexts.testUnreachable("rate limiting")).waitFor();
    await context.close();
  });

  test("of a server that must not be called puts the refusal beside its field as well", async () => {
    const { page, context } = await settings.openSettings();
    await field(page, "Redis URL").fill("redis://169.254.169.254");
    await field(page, "Redis Password").fill("entered again");
    await button(page, "Test Redis Connection").click();
    await dialog(page, settingsTexts.redisFails).getByText(settingsTexts.addressRefused).waitFor();
    await page.keyboard.press("Escape");
    // It cannot be pressed again before the field is mended, but the keyboard goes on from there.
    expect(await focusedText(page)).toBe("Test Redis Connection");
    expect(await button(page, "Test Redis Connection").isDisabled()).toBe(true);
    expect(await section(page, "Redis Configuration").getByText(settingsTexts.addressRefused).count()).toBe(
      1,
    );
    await context.close();
  });

  test("of mail goes to the reader unless another address is given", async () => {
    const { page, context } = await settings.openSettings();
    const to = field(page, "Send test mail to");
    expect(await to.inputValue()).toBe("ada@example.test");
    await to.fill("nobody");
    expect(await button(page, "Send test mail").isDisabled()).toBe(true);
    await to.fill("grace@example.test");
    await button(page, "Send test mail").click();
    await page
      .getByRole("dialog", { name: /^Mail Test / })
      .getByRole("listitem")
      .first()
      .waitFor();
    await context.close();
  });
});
