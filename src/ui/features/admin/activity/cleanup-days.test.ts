import { expect, test } from "bun:test";
import { activityTexts } from "#contract/activity-texts.ts";
import { dayCountComplaint, readDayCount } from "./cleanup-days.ts";

test("days to clean up by are whole numbers from 1 to 3650", () => {
  expect(["1", " 90 ", "3650"].map(readDayCount)).toEqual([1, 90, 3650]);
  expect(["", "0", "3651", "1.5", "-1", "1e2", "ninety"].map(readDayCount)).toEqual(Array(7).fill(null));
  expect(dayCountComplaint("0")).toBe(activityTexts.daysOutOfBounds);
  expect(dayCountComplaint("90")).toBeNull();
});
