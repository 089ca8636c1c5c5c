import { expect, test } from "bun:test";
import { createRandom, testSeed } from "#api/testing/random.ts";
import { daySpan } from "./filter.ts";

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = dayMs / 24;
const days = 6;

/** Counts rows as the database does, once by whole days and corrections and once by looking at each. */
const countTwice = (times: number[], fromMs: number | null, toMs: number | null) => {
  const { firstDay, endDay, corrections } = daySpan(fromMs, toMs);
  const within = (from: number | null, to: number | null) =>
    times.filter((ms) => (from === null || ms >= from) && (to === null || ms < to)).length;
  const whole = within(firstDay === null ? null : firstDay * dayMs, endDay === null ? null : endDay * dayMs);
  const corrected = corrections.reduce(
    (sum, part) => sum + part.sign * within(part.fromMs, part.toMs),
    whole,
  );
  return [corrected, within(fromMs, toMs)];
};

test("whole days and corrections count exactly the rows between two moments", () => {
  const seed = testSeed();
  const random = createRandom(seed);
  const times = Array.from({ length: 400 }, () => random.below(days * 48) * (hourMs / 2));
  const moment = () =>
    random.once(4) ? random.below(days + 1) * dayMs : random.below(days * 48) * (hourMs / 2);
  for (let turn = 0; turn < 2_000; turn += 1) {
    const [one, other] = [moment(), moment()];
    const fromMs = random.once(5) ? null : Math.min(one, other);
    const toMs = random.once(5) ? null : Math.max(one, other) + 1;
    const [counted, wanted] = countTwice(times, fromMs, toMs);
    expect([seed, fromMs, toMs, counted]).toEqual([seed, fromMs, toMs, wanted]);
  }
});

test("days that begin and end at midnight are counted by days alone", () => {
  expect(daySpan(2 * dayMs, 5 * dayMs)).toEqual({ firstDay: 2, endDay: 5, corrections: [] });
  expect(daySpan(null, null)).toEqual({ firstDay: null, endDay: null, corrections: [] });
});

test("at each end half a day at most is counted one by one, and of a short span no more than itself", () => {
  const { corrections } = daySpan(2 * dayMs + 11 * hourMs, 5 * dayMs + 13 * hourMs);
  expect(corrections).toEqual([
    { sign: -1, fromMs: 2 * dayMs, toMs: 2 * dayMs + 11 * hourMs },
    { sign: -1, fromMs: 5 * dayMs + 13 * hourMs, toMs: 6 * dayMs },
  ]);
  expect(daySpan(2 * dayMs + hourMs, 2 * dayMs + 2 * hourMs)).toEqual({
    firstDay: 0,
    endDay: 0,
    corrections: [{ sign: 1, fromMs: 2 * dayMs + hourMs, toMs: 2 * dayMs + 2 * hourMs }],
  });
});
