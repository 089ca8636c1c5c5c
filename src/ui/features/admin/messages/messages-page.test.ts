import { describe, expect, test } from "bun:test";
import type { ContactMessage, MessageList } from "#api/modules/contact/contract.ts";
import { contactTexts } from "#contract/contact-rules.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { listTexts } from "../texts.ts";
import { messagesTexts as texts } from "./texts.ts";

const open = openPages();

const list = "GET /api/admin/contact";

const aMessage = (change: Partial<ContactMessage> = {}): ContactMessage => ({
  id: "m1",
  name: "Mira Okafor",
  email: "mira@northwind.example",
  subject: "General",
  message: "Newer message\n\nwith <b>two</b> parts",
  userId: null,
  ip: "198.51.100.7",
  userAgent: null,
  createdAt: "2026-10-02T10:00:00.000Z",
  readAt: null,
  handledAt: null,
  ...change,
});
const older = aMessage({ id: "m2", name: "Older Writer", message: "Older message" });

const pageOf = (messages: ContactMessage[], total = messages.length): { data: MessageList } => ({
  data: {
    messages,
    pagination: { total, totalIsEstimate: false, limit: 25, offset: 0 },
    counts: {
      open: messages.filter(({ handledAt }) => handledAt === null).length,
      unread: messages.filter(({ readAt }) => readAt === null).length,
    },
  },
});

const openMessages = (messages: ContactMessage[], query = "", answers: Answers = {}) =>
  open(`/admin/messages${query}`, {
    as: "admin",
    answers: {
      [list]: pageOf(messages),
      ...Object.fromEntries(messages.map((one) => [`GET /api/admin/contact/${one.id}`, { data: one }])),
      ...answers,
    },
  });
const asked = (page: OpenPage) => page.calls(list).map(({ query }) => query);
const now = "2026-10-03T10:00:00.000Z";

describe("the admin's page of messages", () => {
  test("says so while there are no messages", async () => {
    const page = await openMessages([]);
    await page.shows(texts.none);
    expect(page.has(texts.showAll)).toBe(false);
  });

  test("shows unread ones bold, opens one with its whole text as text, and it is read", async () => {
    const page = await openMessages([aMessage(), older]);
    const isBold = async (text: string) => (await page.row(text)).className.includes("font-semibold");
    expect(await isBold("Newer")).toBe(true);
    const read = aMessage({ readAt: now });
    page.answer({ [list]: pageOf([read, older]) });
    await page.press("Mira Okafor (Unread)");
    const sheet = await page.findByRole("dialog", { name: texts.from("Mira Okafor") });
    const body = sheet.querySelector("p.whitespace-pre-wrap");
    expect(body?.textContent).toBe(read.message);
    expect(body?.childElementCount).toBe(0);
    expect(page.getByRole("link", { name: texts.reply }).getAttribute("href")).toBe(
      "mailto:mira@northwind.example?subject=Re%3A%20General",
    );
    await page.keys("{Escape}");
    await page.shows(texts.lead("2", "1"));
    await page.isAt("/admin/messages");
    expect([await isBold("Newer"), await isBold("Older")]).toEqual([false, true]);
  });

  test("tells the menu how much is unread, until it is read", async () => {
    const page = await openMessages([aMessage()]);
    const item = () => page.getAllByRole("link", { name: /^Messages/ })[0]?.textContent;
    await page.until(() => expect(item()).toBe("Messages1 unread"));
    page.answer({ [list]: pageOf([aMessage({ readAt: now })]) });
    await page.press("Mira Okafor (Unread)");
    await page.until(() => expect(item()).toBe("Messages"));
  });

  test("opens the message of an emailed link, and Back closes the one opened by a click", async () => {
    const page = await openMessages([aMessage()], "?search=Newer");
    await page.row("Mira Okafor");
    const before = history.length;
    await page.press("Mira Okafor (Unread)");
    await page.isAt("/admin/messages?search=Newer&message=m1");
    expect(history.length).toBe(before + 1);
    await page.shows("198.51.100.7");
    history.back();
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    await page.isAt("/admin/messages?search=Newer");
  });

  test("opens what a link names, and says so when it is gone", async () => {
    const page = await openMessages([older], "?message=m2");
    await page.findByRole("dialog", { name: texts.from("Older Writer") });
  });

  test("says that the message of a link is gone", async () => {
    const gone = { "GET /api/admin/contact/m9": refusal("NOT_FOUND") };
    const page = await openMessages([older], "?message=m9", gone);
    await page.shows(/404/);
  });

  test("marks a message as handled, opens it again and deletes it after a question", async () => {
    const one = "/api/admin/contact/m1";
    const page = await openMessages([aMessage({ readAt: now })]);
    await page.press("Mira Okafor");
    await page.shows(texts.ip);
    const becomes = (handledAt: string | null, message: string) => {
      const next = aMessage({ readAt: now, handledAt });
      page.answer({ [`PUT ${one}`]: { message }, [`GET ${one}`]: { data: next }, [list]: pageOf([next]) });
    };
    becomes(now, contactTexts.handled);
    await page.press(texts.handle);
    await page.shows(contactTexts.handled);
    await page.until(async () => expect((await page.row("Mira")).textContent).toContain("Handled"));
    becomes(null, contactTexts.reopened);
    await page.press(texts.reopen);
    await page.shows(contactTexts.reopened);
    expect(page.calls(`PUT ${one}`).map(({ body }) => body)).toEqual([{ handled: true }, { handled: false }]);
    await page.press(texts.delete);
    await page.press("Cancel");
    expect(page.calls(`DELETE ${one}`)).toEqual([]);
    await page.press(texts.delete);
    page.answer({ [`DELETE ${one}`]: { message: contactTexts.deleted }, [list]: pageOf([]) });
    await page.press(texts.deleteConfirm);
    await page.shows(contactTexts.deleted);
    await page.shows(texts.none);
  });

  test("keeps search, subject and state in the address, and begins each choice at the first page", async () => {
    const page = await openMessages([], "?page=2", { [list]: pageOf([], 3) });
    await page.shows(listTexts.beyond);
    page.answer({ [list]: pageOf([aMessage()]) });
    await page.fill("Search", "Filter");
    await page.isAt("/admin/messages?search=Filter");
    await page.choose(texts.subject, "Sales");
    await page.isAt("/admin/messages?search=Filter&subject=Sales");
    page.answer({ [list]: pageOf([]) });
    await page.choose(texts.status, texts.statuses.handled);
    await page.isAt("/admin/messages?search=Filter&subject=Sales&status=handled");
    await page.shows(texts.noMatch);
    expect(asked(page)).toEqual([
      "limit=25&offset=25",
      "limit=25&offset=0&search=Filter",
      "limit=25&offset=0&search=Filter&subject=Sales",
      "limit=25&offset=0&search=Filter&subject=Sales&status=handled",
    ]);
    for (const format of ["csv", "ndjson"]) {
      const link = page.getByRole("link", { name: `Export ${format.toUpperCase()}` });
      expect(link.getAttribute("href")).toBe(
        `/api/admin/contact/export?format=${format}&search=Filter&subject=Sales&status=handled`,
      );
    }
    page.answer({ [list]: pageOf([aMessage()]) });
    await page.press(texts.showAll);
    await page.isAt("/admin/messages");
    await page.shows("1–1 of 1");
  });

  test("takes its choices from the address", async () => {
    const page = await openMessages([aMessage()], "?search=Filter&subject=Sales&status=handled");
    await page.row("Mira");
    expect([page.value("Search"), page.value(texts.subject), page.value(texts.status)]).toEqual([
      "Filter",
      "Sales",
      "handled",
    ]);
  });

  test("tells what went wrong, and continues once the server responds again", async () => {
    const page = await openMessages([], "", { [list]: refusal("DB_UNAVAILABLE") });
    await page.shows(/Failed to load admin data: 503/);
    page.answer({ [list]: pageOf([aMessage()]) });
    await page.press("Try again");
    await page.row("Mira");
  });
});
