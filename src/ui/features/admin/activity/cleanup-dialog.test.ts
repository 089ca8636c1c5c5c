import { expect, test } from "bun:test";
import { activityTexts } from "#contract/activity.ts";
import { dayCountComplaint, isShorter, readDayCount, wordComplaint } from "./cleanup-dialog.tsx";
import { cleanupTexts } from "./texts.ts";

test("days to clean up by are whole numbers from 1 to 3650", () => {
  expect(["1", " 90 ", "3650"].map(readDayCount)).toEqual([1, 90, 3650]);
  expect(["", "0", "3651", "1.5", "-1", "1e2", "ninety"].map(readDayCount)).toEqual(Array(7).fill(null));
  expect(dayCountComplaint("0")).toBe(activityTexts.daysOutOfBounds);
  expect(dayCountComplaint("90")).toBeNull();
});

test("keeping activities for fewer days than before is what removes some; for more days or for ever is not", () => {
  expect(["89", "1", " 89 "].map((typed) => isShorter(typed, 90))).toEqual([true, true, true]);
  expect(["90", "91", "", "0", "ninety"].map((typed) => isShorter(typed, 90))).toEqual(Array(5).fill(false));
  expect(isShorter("3650", null)).toBe(true);
  expect(isShorter("", null)).toBe(false);
});

test("a clean-up is confirmed by its words in any case, and by nothing else", () => {
  expect(["clean up", " Clean Up "].map(wordComplaint)).toEqual([null, null]);
  expect(["", "clean", "yes"].map(wordComplaint)).toEqual(Array(3).fill(cleanupTexts.mismatch));
});
