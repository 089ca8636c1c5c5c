import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createRecordingLog, type RecordingLog } from "#api/testing/recording-log.ts";
import { createRestartPause, type RestartPause } from "./supervisor.ts";

let log: RecordingLog;
let pause: RestartPause;

beforeEach(() => {
  jest.useFakeTimers();
  log = createRecordingLog();
  pause = createRestartPause(log);
});

afterEach(() => {
  jest.useRealTimers();
});

/** Whether the wait is over after `ms` of faked time. */
const isOverAfter = async (wait: Promise<void>, ms: number): Promise<boolean> => {
  let isOver = false;
  void wait.then(() => {
    isOver = true;
  });
  jest.advanceTimersByTime(ms);
  await Promise.resolve();
  await Promise.resolve();
  return isOver;
};

test("the first restart is immediate, later ones wait longer and longer", async () => {
  expect(await isOverAfter(pause.wait(0, false), 0)).toBe(true);
  expect(await isOverAfter(pause.wait(1, false), 100)).toBe(true);
  const fourth = pause.wait(4, false);
  expect(await isOverAfter(fourth, 700)).toBe(false);
  expect(await isOverAfter(fourth, 200)).toBe(true);
  const hundredth = pause.wait(100, false);
  expect(await isOverAfter(hundredth, 14_000)).toBe(false);
  expect(await isOverAfter(hundredth, 2000)).toBe(true);
});

test("on a full disk the restart waits for free space, logs that, and happens as soon as there is some", async () => {
  const wait = pause.wait(1, true);
  expect(await isOverAfter(wait, 5000)).toBe(false);
  expect(log.entries.map(({ message }) => message)).toEqual([
    "the disk is full: the embedded database is waiting for free disk space",
  ]);
  pause.onFreeSpace(true);
  expect(await isOverAfter(wait, 0)).toBe(false);
  pause.onFreeSpace(false);
  expect(await isOverAfter(wait, 0)).toBe(true);
});

test("stopping does not wait", async () => {
  const wait = pause.wait(50, true);
  pause.end();
  expect(await isOverAfter(wait, 0)).toBe(true);
});
