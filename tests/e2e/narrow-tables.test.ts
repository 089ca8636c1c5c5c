import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { launchBrowser, openPage } from "../driver/browser.ts";
import { createPerson } from "../driver/person.ts";
import { noteLive, openLive, settle } from "./live.ts";
import { row, usersStageForFile } from "./users-stage.ts";

const users = await usersStageForFile();

beforeAll(async () => {
  await users.add("Konstantinopolitanischer Dudelsackpfeifenmacher", "admin");
  await users.register("Maximiliane von und zu Hohenlohe-Langenburg");
  const message = { name: "Somebody With Rather A Long Name", email: "long.name@northwind.example" };
  await createPerson(users.stage.url).call("POST", "/api/contact", {
    ...message,
    subject: "Support",
    message: "A message of many words that no narrow window has room for. ".repeat(4),
  });
}, 90_000);

/** By how much the table is wider than its place. */
const excess = (table: Locator) =>
  table.evaluate(
    ({ parentElement }) => (parentElement?.scrollWidth ?? 0) - (parentElement?.clientWidth ?? 0),
  );

const lists: [path: string, who: string, essential: string[]][] = [
  ["/admin/users", "Konstantinopolitanischer", ["Admin", "Active", "member1@users.example"]],
  ["/admin/users?tab=pending", "Maximiliane", ["Verify", "Remove", "waiting2@users.example"]],
  ["/admin/messages", "Somebody", ["Open", "Support"]],
  ["/admin/activity", "member1@users.example", ["Success"]],
];

describe("a table of the admin area", () => {
  test.each(lists)(
    "fits into 320, 390, 768, 1024 and 1280 px at %s, with what matters in sight",
    async (path, who, essential) => {
      const { page } = await users.stage.open("admin", { width: 320, touch: false });
      await openLive(page, `${users.stage.url}${path}`);
      for (const width of [320, 390, 768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        await row(page, who).waitFor();
        await settle(page);
        // The one before it on the page of activities is the chart's, for screen readers.
        expect([width, await excess(page.getByRole("table").last())]).toEqual([width, 0]);
        for (const text of essential) {
          const shown = row(page, who).getByText(text, { exact: true }).filter({ visible: true });
          // Part of a line on phones, a cell of its own elsewhere.
          if (text === "Support") expect((await row(page, who).allInnerTexts()).join()).toContain(text);
          else expect([width, text, await shown.count()]).toEqual([width, text, 1]);
        }
      }
    },
  );
});

test("a long name stands whole in the list of users at 320 px", async () => {
  const { page } = await users.stage.open("admin", { width: 320, touch: false });
  await openLive(page, `${users.stage.url}/admin/users`);
  const name = row(page, "Konstantinopolitanischer").getByRole("button");
  const cut = await name.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
    scrollWidth - clientWidth,
    scrollHeight - clientHeight,
  ]);
  expect(cut).toEqual([0, 0]);
});

describe("details from the right edge, where scrollbars take up space", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser({ hasScrollbars: true });
  }, 60_000);
  afterAll(() => browser.close());

  const leftOf = async (locator: Locator) => (await locator.boundingBox())?.x;

  const openList = async (): Promise<Page> => {
    const { page, context } = await openPage(browser, { width: 1280, theme: "light" });
    const [name = "", value = ""] = (users.admin.cookie ?? "").split("=");
    await context.addCookies([{ name, value, url: users.stage.url }]);
    await noteLive(page);
    await openLive(page, `${users.stage.url}/admin/users`);
    await row(page, "Konstantinopolitanischer").waitFor();
    return page;
  };

  test("reach it, and the page behind does not move", async () => {
    const page = await openList();
    const room = await page.evaluate(() => window.innerWidth - document.documentElement.clientWidth);
    expect(room).toBeGreaterThan(0);
    const button = page.getByText("Add user", { exact: true });
    const before = await leftOf(button);
    await row(page, "Konstantinopolitanischer").getByRole("button").click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("End all sessions").waitFor();
    await settle(page);
    const box = await sheet.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(1280);
    expect(await leftOf(button)).toBe(before);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(await leftOf(button)).toBe(before);
    await page.context().close();
  });
});
