import { expect, test } from "bun:test";
import { formatBytes, formatDuration, formatMs } from "./format.ts";

test("sizes turn to the next unit at a thousand, and the smallest are none of zero", () => {
  expect(formatBytes(0, "en")).toBe("0 bytes");
  expect(formatBytes(740, "en")).toBe("740 bytes");
  expect(formatBytes(2_340, "en")).toBe("2.3 kB");
  expect(formatBytes(48_700, "en")).toBe("49 kB");
  expect(formatBytes(999_700, "en")).toBe("1 MB");
  expect(formatBytes(1_240_000, "en")).toBe("1.2 MB");
  expect(formatBytes(94_300_000, "en")).toBe("94 MB");
  expect(formatBytes(2_500_000_000, "en")).toBe("2.5 GB");
});

test("durations show their two largest units and leave out an empty second one", () => {
  expect(formatDuration(12 * 86_400 + 4 * 3_600 + 59, "en")).toBe("12d 4h");
  expect(formatDuration(308, "en")).toBe("5m 8s");
  expect(formatDuration(3_600, "en")).toBe("1h");
  expect(formatDuration(400 * 86_400, "en")).toBe("400d");
  expect(formatDuration(0.4, "en")).toBe("0s");
});

test("short latencies keep a decimal", () => {
  expect(formatMs(0.42, "en")).toBe("0.4 ms");
  expect(formatMs(128.7, "en")).toBe("129 ms");
});
