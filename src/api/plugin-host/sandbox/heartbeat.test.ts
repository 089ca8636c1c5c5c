import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { pluginLimits } from "#contract/plugins.ts";
import { startHeartbeat } from "./launch.ts";
import type { ProcessWork } from "./process-memory.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** How a process that answers nothing is condemned, and after how many ms; `work` tells what it has done by then. */
const condemned = (work: (afterMs: number) => ProcessWork | null) => {
  let afterMs = 0;
  const verdicts: { afterMs: number; isStarved: boolean }[] = [];
  const heartbeat = startHeartbeat({
    ping: () => {},
    residentBytes: () => 1,
    work: () => work(afterMs),
    onVerdict: (_kind, _reason, { isStarved }) => {
      verdicts.push({ afterMs, isStarved });
    },
  });
  while (verdicts.length === 0 && afterMs < 60_000) {
    afterMs += pluginLimits.heartbeatMs;
    jest.advanceTimersByTime(pluginLimits.heartbeatMs);
  }
  heartbeat.stop();
  return verdicts[0];
};

test("a process that computes instead of answering is condemned after two seconds of that", () => {
  const verdict = condemned((cpuMs) => ({ cpuMs, isStopped: false }));
  expect(verdict).toEqual({ afterMs: 2_500, isStarved: false });
});

test("one that someone stopped is given up after a second", () => {
  const verdict = condemned(() => ({ cpuMs: 0, isStopped: true }));
  expect(verdict).toEqual({ afterMs: 1_250, isStarved: false });
});

test("one that the machine gives a tenth of its time has ten seconds", () => {
  const verdict = condemned((afterMs) => ({ cpuMs: afterMs / 20, isStopped: false }));
  expect(verdict).toEqual({ afterMs: sandboxLimits.starvedMs + 250, isStarved: true });
});

test("one whose activity is unknown has as long", () => {
  expect(condemned(() => null)).toEqual({ afterMs: sandboxLimits.starvedMs + 250, isStarved: true });
});
