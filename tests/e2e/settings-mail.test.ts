import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { mailTexts } from "#contract/mail.ts";
import { createPerson } from "../driver/person.ts";
import { button, notice, section, settingsStageForFile } from "./settings-stage.ts";

const settings = await settingsStageForFile();

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
