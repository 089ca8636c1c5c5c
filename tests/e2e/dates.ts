import type { Locator, Page } from "playwright-core";
import type { View, WatchedPage } from "../driver/browser.ts";
import { openLive } from "./live.ts";
import type { Stage } from "./stage.ts";

/** The page of activities, whose filters have two dates: the first day that is looked at and the last. */
export const openDates = async (stage: Stage, query = "", view: Partial<View> = {}): Promise<WatchedPage> => {
  const visit = await stage.open("admin", view);
  await openLive(visit.page, `${stage.url}/admin/activity${query}`);
  const unfold = visit.page.getByRole("button", { name: "Show", exact: true });
  if (await unfold.isVisible()) await unfold.click();
  return visit;
};

/** The field of the first day. */
export const start = (page: Page): Locator => page.getByLabel("Start date", { exact: true });
/** The field of the last day. */
export const end = (page: Page): Locator => page.getByLabel("End date", { exact: true });
/** The button that opens a field's calendar. */
export const openerOf = (page: Page, label: string): Locator =>
  page.getByRole("button", { name: `Open calendar: ${label}` });
/** The calendar that is open. */
export const calendar = (page: Page): Locator => page.getByRole("dialog", { name: /^Calendar: / });
/** A day of the calendar, such as `January 31, 2026`. */
export const day = (page: Page, name: string): Locator =>
  calendar(page).getByRole("gridcell", { name: new RegExp(`, ${name}$`) });
/** The first day as the address has it. */
export const chosenStart = (page: Page): string | null => new URL(page.url()).searchParams.get("startDate");
/** What has the focus. */
export const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.tagName);

/** Presses a key and answers with what has the focus then. */
export const afterKey = async (page: Page, key: string): Promise<string | undefined> => {
  await page.keyboard.press(key);
  return focused(page);
};

/** The years of a calendar, which are behind its heading. */
export const years = (page: Page): Locator => calendar(page).getByRole("grid", { name: "Choose the year" });
/** One of them. */
export const year = (page: Page, name: string): Locator =>
  years(page).getByRole("gridcell", { name, exact: true });
/** Switches the calendar to its years. */
export const toYears = (page: Page): Promise<void> => calendar(page).getByTitle("Choose the year").click();

/** Where it is. Throws when it is not to be seen. */
export const boxOf = async (
  locator: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> => {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it is not to be seen");
  return box;
};

/** The smaller side of the smallest target in the calendar, in pixels. */
export const smallestTarget = (page: Page): Promise<number> =>
  calendar(page)
    .locator("button, [role=gridcell]")
    .evaluateAll((targets) => {
      const boxes = targets.map((target) => target.getBoundingClientRect());
      return Math.min(...boxes.flatMap(({ width, height }) => [width, height]));
    });
