import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { contactTexts } from "#contract/contact-rules.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { comesTo, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

let places = 0;

/** The contact page, as somebody sees it who has sent nothing from their place yet. */
const openContact = async (who: "visitor" | "user" = "visitor", width = 1280) => {
  const visit = await stage.open(who, { width });
  places += 1;
  await visit.context.setExtraHTTPHeaders({ "x-forwarded-for": `203.0.113.${places}` });
  await openLive(visit.page, `${stage.url}/contact`);
  return visit;
};
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const sendButton = (page: Page) => page.getByRole("button", { name: "Send Message" });
const _compose = async (page: Page, message: string) => {
  await field(page, "Name").fill("Mira Okafor");
  await field(page, "Email").fill("mira@northwind.example");
  await field(page, "Subject").selectOption("Sales");
  await field(page, "Message").fill(message);
};
const valuesOf = async (page: Page) =>
  Promise.all(["Name", "Email", "Subject", "Message"].map((label) => field(page, label).inputValue()));

/** What is stored of the messages with this text. */
const stored = async (
  search: string,
): Promise<{ name: string; message: string; userId: string | null }[]> => {
  const { page, context } = await stage.open("admin");
  const query = new URLSearchParams({ search, limit: "100" });
  const answer = await page.request.get(`${stage.url}/api/admin/contact?${query}`);
  const { data } = await answer.json();
  await context.close();
  return data.messages;
};

describe("the contact page", () => {
  test("sends a message without a pointer, says so where the focus goes, and is ready for another", async () => {
    const { page, complaints } = await openContact();
    await typeAt(page, "Name", "Kay Board");
    await typeAt(page, "Email", "kay@board.example");
    await tabTo(page, "Subject");
    await page.keyboard.type("Supp");
    await tabTo(page, "Message");
    await page.keyboard.type("First line");
    await page.keyboard.press("Enter");
    await page.keyboard.type("second line");
    await pressAt(page, "Send Message");
    await page.getByText(contactTexts.sent).waitFor();
    await comesTo(() => page.locator(":focus").allTextContents(), [contactTexts.sent]);
    await comesTo(() => valuesOf(page), ["Kay Board", "kay@board.example", "", ""]);
    expect(await stored("second line")).toMatchObject([
      { name: "Kay Board", subject: "Support", message: "First line\nsecond line", userId: null },
    ]);
    expect(complaints).toEqual([]);
  });

  test("knows who is signed in, and leaves what they have typed before it knew", async () => {
    const { page } = await openContact("user");
    await comesTo(async () => (await valuesOf(page)).slice(0, 2), ["Grace Hopper", "grace@example.test"]);
    await field(page, "Subject").selectOption("General");
    await field(page, "Message").fill("From a member");
    await sendButton(page).click();
    await page.getByText(contactTexts.sent).waitFor();
    expect((await stored("From a member"))[0]?.userId).toBeString();
    // The application comes late, and somebody is quicker.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${stage.url}/contact`, { waitUntil: "commit" });
    await field(page, "Name").fill("Rear Admiral");
    await field(page, "Subject").selectOption("Support");
    await field(page, "Message").fill("Typed early");
    release();
    await comesTo(() => valuesOf(page), ["Rear Admiral", "grace@example.test", "Support", "Typed early"]);
  });
});
