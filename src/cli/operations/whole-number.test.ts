import { expect, test } from "bun:test";
import { InvalidArgumentError } from "commander";
import { limits } from "#contract/limits.ts";
import { activityId } from "./typed-values.ts";

test.each([1, 999_999_999, 1_000_000_000, limits.activityId])("%d can be an activity's number", (id) => {
  expect(activityId(String(id))).toBe(id);
});

test.each(["", "0", "-1", "1.5", "1e3", " 1", "0x10", String(limits.activityId + 1), "9".repeat(400)])(
  "%p is no activity's number",
  (text) => {
    expect(() => activityId(text)).toThrow(InvalidArgumentError);
  },
);
