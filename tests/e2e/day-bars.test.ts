import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { View } from "../driver/browser.ts";
import { axeFindings } from "./axe-findings.ts";
import { openLive, settle } from "./live.ts";
import { json } from "./shots/answers.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const lastDay = Date.UTC(2026, 10, 21);
const dayMs = 86_400_000;

/** Thirty days to 21 November 2026; each counts what the list says, the newest last, and nothing before that. */
const thirtyDays = (newest: readonly { total: number; failures: number }[]) =>
  Array.from({ length: 30 }, (_, index) => ({
    date: new Date(lastDay - (29 - index) * dayMs).toISOString().slice(0, 10),
    ...(newest[index - 30 + newest.length] ?? { total: 0, failures: 0 }),
    securityEvents: 0,
  }));

const openChart = async (newest: Parameters<typeof thirtyDays>[0], view: Partial<View> = {}) => {
  const visit = await stage.open("admin", view);
  const days = thirtyDays(newest);
  await visit.page.route("**/api/admin/activity/days?**", json(200, { success: true, data: { days } }));
  await openLive(visit.page, `${stage.url}/admin/activity`);
  await bars(visit.page).first().waitFor();
  return visit;
};

const chart = (page: Page) => page.getByRole("group", { name: "Activities of the last 30 days" });
const bars = (page: Page) => chart(page).getByRole("button");
/** Words above a bar. */
const words = (page: Page, text: string | RegExp) => chart(page).getByText(text, { exact: true });
const bar = (page: Page, name: string) => bars(page).and(page.getByRole("button", { name, exact: true }));
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
const heights = (page: Page, name: string) =>
  bar(page, name)
    .locator("rect")
    .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().height)));

const busyDays = [
  { total: 30, failures: 0 },
  { total: 120, failures: 60 },
  { total: 60, failures: 1 },
] as const;

describe("activity over time", () => {
  test("is a bar a day, as high as its number, failures at its foot", async () => {
    const { page, complaints } = await openChart(busyDays);
    expect(await bars(page).count()).toBe(30);
    const [most = 0, half = 0] = await heights(page, "November 20: 120, 60 failed");
    expect(Math.abs(half * 2 - most)).toBeLessThanOrEqual(1);
    const [quarter = 0, none = -1] = await heights(page, "November 19: 30");
    expect(Math.abs(quarter * 4 - most)).toBeLessThanOrEqual(3);
    expect(none).toBe(0);
    expect((await heights(page, "November 21: 60, 1 failed"))[1]).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
  });

  test("says the most, the ends and the failures without being asked, and each day when it is pointed at", async () => {
    const { page } = await openChart(busyDays);
    await words(page, "120").waitFor();
    const below = chart(page).locator("xpath=following-sibling::p[1]").getByText(/./);
    expect(await below.allTextContents()).toEqual(["Oct 23", "61 failed", "Nov 21"]);
    await bar(page, "November 19: 30").hover();
    await words(page, "November 19: 30").waitFor();
    await words(page, "120").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).hover();
    await words(page, "November 19: 30").waitFor({ state: "detached" });
  });

  test("is one stop of the Tab key, walked by arrows, and Enter shows the day alone", async () => {
    const { page } = await openChart(busyDays);
    expect(await bars(page).and(page.locator("[tabindex='0']")).count()).toBe(1);
    await bar(page, "November 21: 60, 1 failed").focus();
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("November 21: 60, 1 failed");
    await page.keyboard.press("ArrowLeft");
    expect(await focused(page)).toBe("November 20: 120, 60 failed");
    await words(page, "November 20: 120, 60 failed").waitFor();
    await page.keyboard.press("Home");
    expect(await focused(page)).toBe("October 23: 0");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("November 20: 120, 60 failed");
    await page.keyboard.press("Enter");
    await page.waitForURL(/startDate=2026-11-20&endDate=2026-11-20/);
  });

  test("is a table for screen readers that takes no space", async () => {
    const { page } = await openChart(busyDays, { width: 320 });
    const table = page.getByRole("table", { name: "Activities of the last 30 days" });
    expect(await table.getByRole("row").count()).toBe(31);
    const cells = table.getByRole("row").filter({ hasText: "November 20, 2026" }).getByRole("cell");
    expect(await cells.allTextContents()).toEqual(["120", "60"]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test("keeps a day's words within a window of 320 px", async () => {
    const { page } = await openChart(
      thirtyDays([]).map(() => ({ total: 1_240, failures: 1_000 })),
      {
        width: 320,
      },
    );
    for (const each of await bars(page).all()) {
      await each.focus();
      const box = await words(page, /: 1,240, 1,000 failed$/).boundingBox();
      expect(box !== null && box.x >= 0 && box.x + box.width <= 320).toBe(true);
    }
  });

  test("says so when there is nothing, at the same height", async () => {
    const busy = await openChart(busyDays);
    const height = (await chart(busy.page).boundingBox())?.height;
    await busy.context.close();
    const { page } = await openChart([]);
    await chart(page).getByText("Nothing on these days").waitFor();
    expect((await chart(page).boundingBox())?.height).toBe(height ?? 0);
  });

  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    test(`has no finding of WCAG 2.2 A and AA in ${theme} at ${width} px`, async () => {
      const { page } = await openChart(busyDays, { theme, width });
      await bars(page).last().focus();
      await settle(page);
      expect(await axeFindings(page)).toEqual([]);
    });
  }
});
