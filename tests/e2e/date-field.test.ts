import { describe, expect, test } from "bun:test";
import type { View } from "../driver/browser.ts";
import { axeFindings, colourRules } from "./axe-findings.ts";
import {
  afterKey,
  calendar,
  chosenStart,
  day,
  end,
  focused,
  openDates,
  openerOf,
  start,
  toYears,
} from "./dates.ts";
import { pressAt } from "./keyboard.ts";
import { settle } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const openFilters = (query?: string, view?: Partial<View>) => openDates(stage, query, view);

describe("a typed date", () => {
  test("is taken by Enter or on leaving the field, in every form that can be only one day", async () => {
    const { page } = await openFilters();
    for (const [typed, taken] of [
      ["2026-01-31", "2026-01-31"],
      ["20260201", "2026-02-01"],
      ["3.2.2026", "2026-02-03"],
      ["2/28/2026", "2026-02-28"],
    ] as const) {
      await start(page).fill(typed);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("startDate") === taken);
      expect(await start(page).inputValue()).toBe(taken);
    }
    await start(page).fill("2026-03-01");
    expect(chosenStart(page)).toBe("2026-02-28");
    await page.keyboard.press("Tab");
    await page.waitForURL((url) => url.searchParams.get("startDate") === "2026-03-01");
  });

  test("that is none, or could be two, stays as it was typed with words that help, and changes nothing", async () => {
    const { page } = await openFilters("?startDate=2026-01-05");
    for (const [typed, words] of [
      ["2026-02-30", "Enter the date as 2026-01-31"],
      ["3/4/2026", "Enter 2026-04-03 or 2026-03-04: this date could mean either"],
    ] as const) {
      await start(page).fill(typed);
      await page.keyboard.press("Tab");
      await page.getByText(words).waitFor();
      expect(await start(page).getAttribute("aria-invalid")).toBe("true");
      expect(await start(page).inputValue()).toBe(typed);
      expect(chosenStart(page)).toBe("2026-01-05");
    }
    await start(page).fill("2026-02-3");
    expect(await start(page).getAttribute("aria-invalid")).toBeNull();
  });

  test("is taken from 1900 to 2099, and refused beyond with the day to keep to", async () => {
    const { page } = await openFilters();
    for (const [typed, words] of [
      ["1899-12-31", "Choose 1900-01-01 or a later day"],
      ["2100-01-01", "Choose 2099-12-31 or an earlier day"],
    ] as const) {
      await start(page).fill(typed);
      await page.keyboard.press("Enter");
      await page.getByText(words).waitFor();
      expect(chosenStart(page)).toBeNull();
    }
    for (const typed of ["1900-01-01", "1950-01-01", "2099-12-31"]) {
      await start(page).fill(typed);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("startDate") === typed);
      expect(await start(page).inputValue()).toBe(typed);
    }
    await page.getByText("No activities found").waitFor();
  });

  test("gives way to what the page sets meanwhile, and its complaint with it", async () => {
    const { page } = await openFilters("?startDate=2026-01-05");
    await start(page).fill("some day");
    await page.keyboard.press("Enter");
    await page.getByText("Enter the date as 2026-01-31").waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByText("Enter the date as 2026-01-31").waitFor({ state: "detached" });
    expect(await start(page).inputValue()).toBe("");
  });

  test("is cleared by emptying the field", async () => {
    const { page } = await openFilters("?startDate=2026-01-05");
    await start(page).fill("");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.searchParams.has("startDate"));
  });

  test("beyond the other end is refused with the day to keep to", async () => {
    const { page } = await openFilters("?startDate=2026-01-10&endDate=2026-01-20");
    await end(page).fill("2026-01-09");
    await page.keyboard.press("Enter");
    await page.getByText("Choose 2026-01-10 or a later day").waitFor();
    await start(page).fill("2026-01-21");
    await page.keyboard.press("Enter");
    await page.getByText("Choose 2026-01-20 or an earlier day").waitFor();
    await start(page).fill("2026-01-20");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("startDate") === "2026-01-20");
    expect(new URL(page.url()).searchParams.get("endDate")).toBe("2026-01-20");
  });
});

describe("the calendar of a date", () => {
  test("is walked through, picked from and left by keys alone", async () => {
    const { page, complaints } = await openFilters("?startDate=2026-01-31");
    await pressAt(page, "Open calendar: Start date");
    await calendar(page).waitFor();
    expect(await focused(page)).toBe("Saturday, January 31, 2026");
    expect(await afterKey(page, "ArrowRight")).toBe("Sunday, February 1, 2026");
    expect(await afterKey(page, "ArrowDown")).toBe("Sunday, February 8, 2026");
    expect(await afterKey(page, "ArrowLeft")).toBe("Saturday, February 7, 2026");
    expect(await afterKey(page, "ArrowUp")).toBe("Saturday, January 31, 2026");
    expect(await afterKey(page, "Home")).toBe("Sunday, January 25, 2026");
    expect(await afterKey(page, "End")).toBe("Saturday, January 31, 2026");
    expect(await afterKey(page, "PageDown")).toBe("Saturday, February 28, 2026");
    expect(await afterKey(page, "PageUp")).toBe("Wednesday, January 28, 2026");
    expect(await afterKey(page, "Shift+PageDown")).toBe("Thursday, January 28, 2027");
    expect(await afterKey(page, "Shift+PageUp")).toBe("Wednesday, January 28, 2026");
    await page.keyboard.press("Enter");
    await calendar(page).waitFor({ state: "detached" });
    await page.waitForURL((url) => url.searchParams.get("startDate") === "2026-01-28");
    expect(await focused(page)).toBe("Open calendar: Start date");
    await page.keyboard.press("Enter");
    await calendar(page).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    await calendar(page).waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Open calendar: Start date");
    expect(chosenStart(page)).toBe("2026-01-28");
    expect(complaints).toEqual([]);
  });

  test("turns by month and year with buttons that keep the focus, and says which month it shows", async () => {
    const { page } = await openFilters("?startDate=2026-01-31");
    await openerOf(page, "Start date").click();
    const month = calendar(page).getByRole("heading");
    for (const [button, shown] of [
      ["Next month", "February 2026"],
      ["Next year", "February 2027"],
      ["Previous month", "January 2027"],
      ["Previous year", "January 2026"],
    ] as const) {
      await calendar(page).getByRole("button", { name: button }).click();
      expect(await month.textContent()).toBe(shown);
      expect(await focused(page)).toBe(button);
    }
    expect(await month.getAttribute("aria-live")).toBe("polite");
  });

  test("marks today and the chosen day, and clears it", async () => {
    const { page } = await openFilters();
    const today = new Date().toISOString().slice(0, 10);
    await openerOf(page, "Start date").click();
    await calendar(page).getByRole("button", { name: "Today" }).click();
    await page.waitForURL((url) => url.searchParams.get("startDate") === today);
    await openerOf(page, "Start date").click();
    const chosen = calendar(page).getByRole("gridcell", { selected: true });
    await chosen.waitFor();
    expect(await chosen.count()).toBe(1);
    expect(await chosen.getAttribute("aria-current")).toBe("date");
    await calendar(page).getByRole("button", { name: "Clear" }).click();
    await page.waitForURL((url) => !url.searchParams.has("startDate"));
    expect(await start(page).inputValue()).toBe("");
    expect(await focused(page)).toBe("Open calendar: Start date");
  });

  test("takes today in UTC for today, as the log does, wherever its reader is", async () => {
    // In one of the two it is always another day.
    for (const timezoneId of ["Pacific/Kiritimati", "Etc/GMT+12"]) {
      const { page, context } = await openFilters();
      const devtools = await context.newCDPSession(page);
      await devtools.send("Emulation.setTimezoneOverride", { timezoneId });
      await openerOf(page, "Start date").click();
      await calendar(page).getByRole("button", { name: "Today" }).click();
      await page.waitForURL((url) => url.searchParams.has("startDate"));
      expect(chosenStart(page)).toBe(new Date().toISOString().slice(0, 10));
      await context.close();
    }
  });

  test("offers no day beyond the other end, by pointer or keys", async () => {
    const { page } = await openFilters("?startDate=2026-01-10&endDate=2026-01-20");
    await openerOf(page, "End date").click();
    expect(await day(page, "January 9, 2026").getAttribute("aria-disabled")).toBe("true");
    expect(await day(page, "January 10, 2026").getAttribute("aria-disabled")).toBeNull();
    await day(page, "January 9, 2026").click({ force: true });
    expect(await calendar(page).isVisible()).toBe(true);
    await day(page, "January 20, 2026").focus();
    expect(await afterKey(page, "PageUp")).toBe("Saturday, January 10, 2026");
    const back = calendar(page).getByRole("button", { name: "Previous month" });
    expect(await back.getAttribute("aria-disabled")).toBe("true");
    await day(page, "January 11, 2026").click();
    await page.waitForURL((url) => url.searchParams.get("endDate") === "2026-01-11");
  });

  test("begins its weeks as the reader's country does", async () => {
    const { page } = await openFilters("?startDate=2026-01-31");
    await openerOf(page, "Start date").click();
    await calendar(page).waitFor();
    expect(await calendar(page).getByRole("columnheader").allTextContents()).toEqual([
      ...["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    ]);
    expect(await calendar(page).getByRole("gridcell").first().textContent()).toBe("28");
  });
});

describe("for users who cannot see or use a pointer", () => {
  test("the field and its calendar have no finding of WCAG 2.2 A and AA in either theme", async () => {
    const { page, complaints } = await openFilters("?startDate=2026-01-10&endDate=2026-01-20");
    const findingsIn = async (colorScheme: "light" | "dark", look: Parameters<typeof axeFindings>[1]) => {
      await page.emulateMedia({ colorScheme });
      await page.locator(colorScheme === "dark" ? "html.dark" : "html:not(.dark)").waitFor();
      await settle(page);
      return [colorScheme, ...(await axeFindings(page, look))];
    };
    await end(page).fill("2026-01-09");
    await openerOf(page, "End date").click();
    expect(await findingsIn("light", {})).toEqual(["light"]);
    expect(await findingsIn("dark", { rules: colourRules })).toEqual(["dark"]);
    await toYears(page);
    expect(await findingsIn("dark", {})).toEqual(["dark"]);
    expect(await findingsIn("light", { rules: colourRules })).toEqual(["light"]);
    expect(complaints).toEqual([]);
  });
});
