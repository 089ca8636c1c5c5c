import { expect, test } from "bun:test";
import { formatBytes, formatDuration } from "./format.ts";

test("sizes are shown in the unit that suits them", () => {
  expect([0, 999, 1000, 1_530_000, 128_000_000, 83_200_000_000, 5e15].map(formatBytes)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.0 kB",
    "1.5 MB",
    "128 MB",
    "83.2 GB",
    "5000 TB",
  ]);
});

test("spans are shown in their two largest units", () => {
  expect([0, 42, 61, 3725, 90_000].map(formatDuration)).toEqual([
    "0 s",
    "42 s",
    "1 min 1 s",
    "1 h 2 min",
    "1 d 1 h",
  ]);
});
