import { describe, expect, test } from "bun:test";
import { clockText, markPassed, secondsLeft, trialOf } from "./countdown.ts";

describe("the countdown of a change on trial", () => {
  const known = trialOf({ revision: 7, leftMs: 90_000 }, { now: 1_000, known: null });

  test("counts whole seconds down to none, and never below", () => {
    expect(secondsLeft(known, 1_000)).toBe(90);
    expect(secondsLeft(known, 1_001)).toBe(90);
    expect(secondsLeft(known, 90_999)).toBe(1);
    expect(secondsLeft(known, 91_000)).toBe(0);
    expect(secondsLeft(known, 500_000)).toBe(0);
  });

  test("is not made longer by an answer that took its time", () => {
    // The server wrote "80 s left" ten seconds in; it came two seconds later.
    expect(trialOf({ revision: 7, leftMs: 80_000 }, { now: 13_000, known })).toEqual(known);
    expect(trialOf({ revision: 7, leftMs: 70_000 }, { now: 13_000, known }).endsAt).toBe(83_000);
  });

  test("begins anew for another change", () => {
    expect(trialOf({ revision: 8, leftMs: 90_000 }, { now: 50_000, known })).toEqual({
      revision: 8,
      endsAt: 140_000,
    });
  });

  test("is told at 30 and at 10 seconds, once each, also where the browser slept over one", () => {
    expect(markPassed(31, 30)).toBe(30);
    expect(markPassed(30, 29)).toBeNull();
    expect(markPassed(90, 89)).toBeNull();
    expect(markPassed(11, 9)).toBe(10);
    expect(markPassed(60, 5)).toBe(10);
    expect(markPassed(5, 0)).toBeNull();
  });

  test("reads as minutes and seconds", () => {
    expect([90, 65, 9, 0].map(clockText)).toEqual(["1:30", "1:05", "0:09", "0:00"]);
  });
});
