import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { startWatchdog, type Watchdog } from "./supervisor.ts";

let verdicts: string[];
let pings: number;
let isPatient: boolean;
let watchdog: Watchdog;

beforeEach(() => {
  jest.useFakeTimers();
  verdicts = [];
  pings = 0;
  isPatient = false;
  watchdog = startWatchdog({
    ping: () => {
      pings += 1;
    },
    isPatient: () => isPatient,
    onVerdict: (reason) => verdicts.push(reason),
  });
});

afterEach(() => {
  watchdog.stop();
  jest.useRealTimers();
});

test("a process that answers is left alone", () => {
  for (let second = 0; second < 60; second += 1) {
    jest.advanceTimersByTime(1000);
    watchdog.onPong(1024);
  }
  expect(verdicts).toEqual([]);
  expect(pings).toBe(120);
});

test("an unresponsive process is ended once, after four seconds", () => {
  jest.advanceTimersByTime(4000);
  expect(verdicts).toEqual([]);
  jest.advanceTimersByTime(10_000);
  expect(verdicts).toEqual(["unresponsive for 4 s"]);
});

test("a process that runs an announced statement has five minutes", () => {
  isPatient = true;
  jest.advanceTimersByTime(299_000);
  expect(verdicts).toEqual([]);
  jest.advanceTimersByTime(3000);
  expect(verdicts).toEqual(["unresponsive for 300 s"]);
});

test("a process that grows beyond one and a half gigabytes is ended", () => {
  watchdog.onPong(1.4 * 1024 ** 3);
  expect(verdicts).toEqual([]);
  watchdog.onPong(1.6 * 1024 ** 3);
  expect(verdicts).toEqual(["using 1638 MB"]);
});

test("one that no client waits for can build the index of a large table for hours", () => {
  const offline = startWatchdog({
    ping: () => {},
    isPatient: () => true,
    isOffline: true,
    onVerdict: (reason) => verdicts.push(`offline: ${reason}`),
  });
  for (let minute = 0; minute < 350; minute += 1) {
    jest.advanceTimersByTime(60_000);
    watchdog.onPong(1024);
  }
  expect(verdicts.filter((reason) => reason.startsWith("offline"))).toEqual([]);
  for (let minute = 0; minute < 20; minute += 1) jest.advanceTimersByTime(60_000);
  expect(verdicts.filter((reason) => reason.startsWith("offline"))).toEqual([
    "offline: unresponsive for 21600 s",
  ]);
  offline.stop();
});
