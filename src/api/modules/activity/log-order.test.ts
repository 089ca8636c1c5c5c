import { expect, test } from "bun:test";
import { inOrder, recordedAtMs } from "./chain-store.ts";
import { draftOf } from "./draft.ts";

const draft = (second: number) =>
  draftOf({
    entry: { type: "admin_action", action: String(second) },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at: new Date(second * 1_000),
  });
const order = (inbox: number[], notes: number[]) =>
  inOrder(inbox.map(draft), notes.map(draft)).map(({ action }) => Number(action));

test("facts of the inbox keep the order in which they came, also when their clocks disagree", () => {
  expect(order([3, 1, 2], [])).toEqual([3, 1, 2]);
});

test("notes stand between them by their times", () => {
  expect(order([2, 4], [1, 3, 5])).toEqual([1, 2, 3, 4, 5]);
  expect(order([], [1, 2])).toEqual([1, 2]);
});

test("a time in the log never decreases and is never in the future", () => {
  expect(recordedAtMs(1_000, 900, 5_000)).toBe(1_000);
  expect(recordedAtMs(1_000, 2_000, 5_000)).toBe(2_000);
  expect(recordedAtMs(1_000, 9_000, 5_000)).toBe(5_000);
  expect(recordedAtMs(5_100, 4_000, 5_000)).toBe(5_100);
});

test("after a clock that was wrong by hours, times are right again", () => {
  const hours = 3 * 3_600_000;
  expect(recordedAtMs(hours, 4_000, 5_000)).toBe(4_000);
});
