import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { mailTexts } from "#contract/mail.ts";
import { settingsTexts } from "#contract/settings.ts";
import { createPerson } from "../driver/person.ts";
import { findRedis, type RedisServer, startRedis } from "../services/redis.ts";
import { comesTo } from "./live.ts";
import { button, field, notice, section, settingsStageForFile } from "./settings-stage.ts";

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

const id = (number: number) => `019a9f00-0000-7000-8000-${String(number).padStart(12, "0")}`;
const mail = (number: number, more: object = {}) => ({
  id: id(number),
  recipient: `person${number}@northwind.example`,
  subject: "Reset your password",
  status: "dead",
  attempts: 8,
  lastError: "550 No such mailbox",
  nextAttemptAt: null,
  createdAt: "2026-10-28T09:00:00.000Z",
  sentAt: null,
  canRetry: true,
  ...more,
});

/** Answers with two mails that were given up; tells which calls changed something. */
const tellMails = async (page: Page): Promise<string[]> => {
  const acts: string[] = [];
  await page.route("**/api/admin/mails**", (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    if (request.method() !== "GET") {
      acts.push(`${request.method()} ${pathname}`);
      const message = request.method() === "DELETE" ? mailTexts.discarded : mailTexts.retried;
      return route.fulfill({ json: { success: true, message, data: mail(1) } });
    }
    if (pathname !== "/api/admin/mails") return route.fulfill({ json: { success: true, data: mail(1) } });
    const isDead = searchParams.get("status") === "dead";
    const mails = isDead ? [mail(1), mail(2, { canRetry: false })] : [];
    const counts = { waiting: 0, sent: 3, dead: 2 };
    const pagination = { total: mails.length, limit: 10 };
    return route.fulfill({ json: { success: true, data: { mails, counts, pagination } } });
  });
  return acts;
};

const mailState = (more: object) => ({
  success: true,
  data: {
    transport: "smtp",
    server: "mail.northwind.example:587",
    from: "Atrium <atrium@northwind.example>",
    isHealthy: true,
    lastError: null,
    counts: { waiting: 0, sent: 0, dead: 0 },
    ...more,
  },
});

describe("the health of email", () => {
  test("is not shown as working while emails are not delivered", async () => {
    const { page } = await settings.openSettings();
    const mail = section(page, "Email");
    await mail.getByText("Files only", { exact: true }).waitFor();
    await mail.getByText("Working", { exact: true }).waitFor({ state: "detached" });
  });

  test.each([
    ["Working", { isHealthy: true }, "success"],
    ["Failing", { isHealthy: false, lastError: "535 Wrong password" }, "destructive"],
  ])("shows %s in a color of its own", async (word, more, color) => {
    const { page } = await settings.openSettings({
      prepare: (page) => page.route("**/api/admin/mail", (route) => route.fulfill({ json: mailState(more) })),
    });
    const badge = section(page, "Email").getByText(word, { exact: true });
    await badge.waitFor();
    expect(await badge.getAttribute("class")).toContain(`text-${color}`);
  });
});

describe("the outbox", () => {
  test("lists sent emails without their text, and finds one by its recipient", async () => {
    const visitor = createPerson(settings.stage.url);
    const account = {
      name: "Noor Haddad",
      email: "noor@northwind.example",
      password: "a rather fine long password",
    };
    await visitor.call("POST", "/api/auth/register", account);
    const { page } = await settings.openSettings({ query: "?mails=sent#mail" });
    const table = page.getByRole("table", { name: "Emails", exact: true });
    await table.getByText("noor@northwind.example").waitFor();
    await section(page, "Email").getByLabel("Search").fill("nobody at all");
    await section(page, "Email").getByText("No emails found").waitFor();
    await section(page, "Email").getByLabel("Search").fill("noor@");
    await table.getByRole("button", { name: "noor@northwind.example" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("Sent", { exact: true }).first().waitFor();
    expect(await sheet.textContent()).not.toContain("token=");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });

  test("retries failed emails, one or all, and discards one after a confirmation", async () => {
    let acts: string[] = [];
    const { page } = await settings.openSettings({
      prepare: async (page) => {
        acts = await tellMails(page);
      },
    });
    await section(page, "Email").getByText("No emails waiting").waitFor();
    await page.getByRole("link", { name: /^Failed/ }).click();
    await page.getByText("550 No such mailbox").first().waitFor();
    await button(page, "Retry all failed").click();
    await notice(page, mailTexts.retried);
    await button(page, "person1@northwind.example").click();
    const sheet = page.getByRole("dialog", { name: "Reset your password" });
    await sheet.getByRole("button", { name: "Retry" }).click();
    await sheet.getByRole("button", { name: "Discard" }).click();
    await page
      .getByRole("dialog", { name: "Discard this email?" })
      .getByText(/person1@northwind\.example/)
      .waitFor();
    await button(page, "Discard email").click();
    await page.getByText(mailTexts.discarded).waitFor();
    expect(acts).toEqual([
      "POST /api/admin/mails/retry",
      `POST /api/admin/mails/${id(1)}/retry`,
      `DELETE /api/admin/mails/${id(1)}`,
    ]);
  });

  test("fits 320 px: table, details and question", async () => {
    const { page } = await settings.openSettings({
      query: "?mails=dead",
      view: { width: 320 },
      prepare: tellMails,
    });
    const excess = (locator: Locator) =>
      locator.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await page.getByText("550 No such mailbox").first().waitFor();
    expect(await excess(page.getByRole("region", { name: "Emails", exact: true }))).toBe(0);
    expect(await excess(page.locator("html"))).toBe(0);
    await button(page, "person1@northwind.example").click();
    const sheet = page.getByRole("dialog", { name: "Reset your password" });
    await sheet.getByRole("button", { name: "Discard" }).click();
    expect(await excess(page.getByRole("dialog", { name: "Discard this email?" }))).toBe(0);
    await page.keyboard.press("Escape");
    expect(await excess(sheet)).toBe(0);
  });
});
