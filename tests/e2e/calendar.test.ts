import { describe, expect, test } from "bun:test";
import {
  afterKey,
  boxOf,
  calendar,
  chosenStart,
  day,
  focused,
  openDates,
  openerOf,
  smallestTarget,
  start,
  toYears,
  year,
  years,
} from "./dates.ts";
import { pressAt } from "./keyboard.ts";
import { settle } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

describe("the years of a calendar", () => {
  test("are 1900 to 2099, three to a row; one that is pressed opens with its days", async () => {
    const { page, complaints } = await openDates(stage, "?startDate=2026-01-31");
    await openerOf(page, "Start date").click();
    const { height } = await boxOf(calendar(page));
    await toYears(page);
    expect(await focused(page)).toBe("2026");
    const names = await years(page).getByRole("gridcell").allTextContents();
    expect([names.length, names[0], names.at(-1)]).toEqual([200, "1900", "2099"]);
    expect(await years(page).getByRole("row").first().getByRole("gridcell").count()).toBe(3);
    expect(await year(page, "2026").getAttribute("aria-selected")).toBe("true");
    const current = years(page).locator("[aria-current=date]");
    expect(await current.textContent()).toBe(String(new Date().getUTCFullYear()));
    const [grid, chosen] = [await boxOf(years(page).locator("..")), await boxOf(year(page, "2026"))];
    expect(chosen.y >= grid.y && chosen.y + chosen.height <= grid.y + grid.height).toBe(true);
    expect(Math.abs((await boxOf(calendar(page))).height - height)).toBeLessThanOrEqual(1);
    await year(page, "1950").click();
    expect(await focused(page)).toBe("Tuesday, January 31, 1950");
    expect(await calendar(page).getByRole("heading").textContent()).toBe("January 1950");
    await day(page, "January 1, 1950").click();
    await page.waitForURL((url) => url.searchParams.get("startDate") === "1950-01-01");
    expect(await start(page).inputValue()).toBe("1950-01-01");
    expect(complaints).toEqual([]);
  });

  test("are walked through by keys alone, and left by Escape for the days", async () => {
    const { page } = await openDates(stage, "?startDate=2026-01-31");
    await pressAt(page, "Open calendar: Start date");
    await calendar(page).waitFor();
    await pressAt(page, "January 2026");
    for (const [key, reached] of [
      ["ArrowRight", "2027"],
      ["ArrowDown", "2030"],
      ["ArrowLeft", "2029"],
      ["ArrowUp", "2026"],
      ["End", "2028"],
      ["Home", "2026"],
      ["PageUp", "2008"],
      ["PageDown", "2026"],
    ] as const) {
      expect(await afterKey(page, key)).toBe(reached);
    }
    expect(await afterKey(page, "ArrowUp")).toBe("2023");
    expect(await afterKey(page, "Enter")).toBe("Tuesday, January 31, 2023");
    await toYears(page);
    expect(await afterKey(page, "ArrowRight")).toBe("2024");
    expect(await afterKey(page, "Escape")).toBe("Wednesday, January 31, 2024");
    await toYears(page);
    await page.keyboard.press("Shift+Tab");
    expect(await afterKey(page, "Escape")).toBe("Wednesday, January 31, 2024");
    await page.keyboard.press("Escape");
    await calendar(page).waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Open calendar: Start date");
    expect(chosenStart(page)).toBe("2026-01-31");
  });

  test("end where they end, and offer none in which no day may be chosen", async () => {
    const { page } = await openDates(stage, "?startDate=2024-03-10&endDate=2026-01-20");
    await openerOf(page, "End date").click();
    await toYears(page);
    expect(await year(page, "2023").getAttribute("aria-disabled")).toBe("true");
    expect(await year(page, "2024").getAttribute("aria-disabled")).toBeNull();
    await year(page, "2023").click({ force: true });
    expect(await years(page).isVisible()).toBe(true);
    expect(await afterKey(page, "PageUp")).toBe("2024");
    expect(await afterKey(page, "Enter")).toBe("Sunday, March 10, 2024");
    await toYears(page);
    for (let step = 0; step < 5; step += 1) await page.keyboard.press("PageDown");
    expect(await focused(page)).toBe("2099");
    expect(await afterKey(page, "ArrowRight")).toBe("2099");
  });
});

describe("the calendar's place", () => {
  test("is at its field, whole within the window, wherever the page has been scrolled to", async () => {
    const { page } = await openDates(stage);
    for (const scrolledTo of [0, 250, 10_000]) {
      await page.evaluate((top) => window.scrollTo({ top }), scrolledTo);
      await openerOf(page, "Start date").click();
      await settle(page);
      const [field, box] = [await boxOf(start(page)), await boxOf(calendar(page))];
      expect(Math.abs(box.x - field.x)).toBeLessThanOrEqual(1);
      const isBelow = box.y >= field.y + field.height;
      const isAbove = box.y + box.height <= field.y;
      expect(isBelow || isAbove).toBe(true);
      expect(box.y >= 0 && box.y + box.height <= 900).toBe(true);
      await page.mouse.click(5, 5);
      await calendar(page).waitFor({ state: "detached" });
    }
  });

  test("is the middle of a window that is too low for it, where it scrolls", async () => {
    const { page } = await openDates(stage);
    await page.setViewportSize({ width: 1280, height: 300 });
    await openerOf(page, "Start date").click();
    await settle(page);
    const box = await boxOf(calendar(page));
    expect(box.y >= 0 && box.y + box.height <= 300).toBe(true);
    await calendar(page).getByRole("button", { name: "Today" }).click();
    await page.waitForURL((url) => url.searchParams.has("startDate"));
  });

  test("is the middle of a phone of 320 px, with targets of 44 px and nothing cut off", async () => {
    const { page } = await openDates(stage, "", { width: 320 });
    await openerOf(page, "Start date").tap();
    await settle(page);
    const box = await boxOf(calendar(page));
    expect(box.x >= 0 && box.x + box.width <= 320).toBe(true);
    const inside = await calendar(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(inside).toBeLessThanOrEqual(0);
    expect(await smallestTarget(page)).toBeGreaterThanOrEqual(44);
    await toYears(page);
    expect(await smallestTarget(page)).toBeGreaterThanOrEqual(44);
    const { width, x } = await boxOf(years(page));
    expect(x >= 0 && x + width <= 320).toBe(true);
    await year(page, "2024").tap();
    await calendar(page).getByRole("gridcell").nth(10).tap();
    await page.waitForURL((url) => url.searchParams.has("startDate"));
  });
});
