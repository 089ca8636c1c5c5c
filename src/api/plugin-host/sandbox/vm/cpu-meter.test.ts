import { expect, test } from "bun:test";
import { createCpuMeter } from "./interpreter.ts";

const compute = (ms: number): void => {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  for (const from = usedMs(); usedMs() - from < ms; );
};

test("a piece of work that the machine gave no time is not over, however long it takes", () => {
  const meter = createCpuMeter();
  meter.run(20, () => {
    Bun.sleepSync(400);
    expect([meter.isOver(), meter.isLongOver()]).toEqual([false, false]);
  });
  expect(meter.wasInterrupted).toBe(false);
  expect(meter.lastMs).toBeLessThan(20);
});

test("one that used its time is over, and long over a tenth of a second later", () => {
  const meter = createCpuMeter();
  meter.run(20, () => {
    compute(25);
    expect([meter.isOver(), meter.isLongOver()]).toEqual([true, false]);
    compute(100);
    expect(meter.isLongOver()).toBe(true);
  });
  expect(meter.wasInterrupted).toBe(true);
  expect(meter.lastMs).toBeGreaterThanOrEqual(125);
  expect(meter.isOver()).toBe(false);
});
