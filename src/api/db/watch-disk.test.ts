import { expect, test } from "bun:test";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { watchDisk } from "./watch-disk.ts";

/** A disk that is measured when the test says so. */
const createDisk = () => {
  const log = createRecordingLog();
  let now: { bytes: number | null; isLow: boolean } = { bytes: null, isLow: false };
  let onSample = () => {};
  const disk = watchDisk("/data", log, (_folder, listener) => {
    onSample = listener;
    return {
      get bytes() {
        return now.bytes;
      },
      get isLow() {
        return now.isLow;
      },
      stop: () => {},
    };
  });
  const measure = (bytes: number | null, isLow: boolean, times = 1) => {
    now = { bytes, isLow };
    for (let time = 0; time < times; time += 1) onSample();
  };
  return { disk, measure, lines: () => log.entries.map(({ level, message }) => `${level}: ${message}`) };
};

const full = "warn: the disk of the data folder is nearly full";
const roomy = "info: the disk of the data folder has free space again";

test("low disk space is logged once when it begins and once when it is over", () => {
  const { disk, measure, lines } = createDisk();
  measure(1_000_000_000, false, 10);
  expect(lines()).toEqual([]);
  measure(1_000, true, 10);
  expect(disk.read()).toEqual({ freeBytes: 1_000, isLow: true });
  expect(lines()).toEqual([full]);
  measure(1_000_000_000, false, 10);
  expect(lines()).toEqual([full, roomy]);
  measure(1_000, true);
  expect(lines()).toEqual([full, roomy, full]);
});

test("a disk around the mark is told of once, not at each measurement", () => {
  const { measure, lines } = createDisk();
  for (let turn = 0; turn < 20; turn += 1) measure(1_000, turn % 3 !== 0);
  expect(lines()).toEqual([full]);
});

test("one that cannot be measured is told of never", () => {
  const { disk, measure, lines } = createDisk();
  measure(null, false, 10);
  expect([disk.read(), lines()]).toEqual([{ freeBytes: null, isLow: false }, []]);
});
