import { describe, expect, test } from "bun:test";
import { nextTurn, noSchedule, readSchedule, surplusBackups } from "./schedule.ts";

const at = (text: string) => new Date(`2026-03-${text}:00Z`);
const backups = ["20T03:00", "19T03:00", "18T03:00", "10T03:00"].map((day) => ({ createdAt: at(day) }));

describe("the schedule of backups", () => {
  test("makes the next one so many hours later, or at the next such time of the day in UTC", () => {
    expect(nextTurn({ every: { hours: 6 } }, at("20T03:00"))).toEqual(at("20T09:00"));
    expect(nextTurn({ every: { dailyAt: "03:00" } }, at("20T02:59"))).toEqual(at("20T03:00"));
    expect(nextTurn({ every: { dailyAt: "03:00" } }, at("20T03:00"))).toEqual(at("21T03:00"));
  });

  test("takes the time of the day in UTC wherever the machine stands", () => {
    const zone = process.env.TZ ?? "";
    process.env.TZ = "Asia/Tokyo";
    try {
      expect(new Date(0).getTimezoneOffset()).toBe(-9 * 60);
      expect(nextTurn({ every: { dailyAt: "03:00" } }, at("20T02:59"))).toEqual(at("20T03:00"));
    } finally {
      process.env.TZ = zone;
    }
  });

  test("keeps so many, or those of so many days, and always the newest", () => {
    const now = at("20T04:00");
    expect(surplusBackups(backups, { keepLast: 2, keepDays: null }, now)).toEqual(backups.slice(2));
    expect(surplusBackups(backups, { keepLast: null, keepDays: 5 }, now)).toEqual(backups.slice(3));
    expect(surplusBackups(backups, { keepLast: 1, keepDays: 1 }, at("30T04:00"))).toEqual(backups.slice(1));
    expect(surplusBackups(backups, { keepLast: null, keepDays: null }, now)).toEqual([]);
  });

  test("counts those from the future as the oldest, whether the clock was ahead or is behind now", () => {
    const kept = { keepLast: 2, keepDays: 1 };
    // Ahead once: it does not push out the true ones, nor stays instead of them.
    const ahead = [{ createdAt: new Date("2030-01-01T03:00:00Z") }, ...backups.slice(0, 2)];
    expect(surplusBackups(ahead, { keepLast: 2, keepDays: null }, at("20T03:01"))).toEqual(ahead.slice(0, 1));
    expect(surplusBackups(ahead.slice(0, 2), { keepLast: 1, keepDays: null }, at("20T03:01"))).toEqual(
      ahead.slice(0, 1),
    );
    // Behind now: what was made just now stays, and of the true ones the newest.
    const made = { createdAt: new Date("2020-01-01T00:00:00Z") };
    expect(surplusBackups([...backups, made], kept, new Date("2020-01-01T00:01:00Z"))).toEqual(
      backups.slice(1),
    );
  });

  test("is off before anyone has set it, and takes what an older version did not store", () => {
    expect(noSchedule.isEnabled).toBeFalse();
    expect(readSchedule({ isEnabled: true })).toEqual({ ...noSchedule, isEnabled: true });
  });
});
