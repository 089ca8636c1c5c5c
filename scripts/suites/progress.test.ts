import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createProgress, minutes } from "./run-suite.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const record = (isTerminal: boolean) => {
  const written: string[] = [];
  return { written, progress: createProgress((text) => written.push(text), isTerminal) };
};

test("without a terminal progress is one line per minute, and messages appear immediately", () => {
  const { written, progress } = record(false);
  progress.update("file 1 of 3");
  jest.advanceTimersByTime(59_000);
  progress.say("✗ a test");
  progress.update("file 2 of 3");
  expect(written).toEqual(["✗ a test\n"]);
  jest.advanceTimersByTime(1_000);
  progress.end();
  jest.advanceTimersByTime(600_000);
  expect(written).toEqual(["✗ a test\n", "file 2 of 3\n"]);
});

test("on a terminal progress is one line that moves, and the last thing that happens to it is that it goes", () => {
  const { written, progress } = record(true);
  progress.update("file 1 of 3");
  jest.advanceTimersByTime(200);
  progress.say("✗ a test");
  progress.end();
  expect(written).toEqual(["\r\x1b[Kfile 1 of 3", "\r\x1b[K✗ a test\n", "\r\x1b[K"]);
});

test("a time is minutes and seconds", () => {
  expect([0, 59.9, 60, 754].map(minutes)).toEqual(["0:00", "0:59", "1:00", "12:34"]);
});
