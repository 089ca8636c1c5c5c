import { expect, test } from "bun:test";
import { repeat } from "./repeat.ts";

const limits = { databasePids: () => [], least: 2, most: 5 };

test("a slow task runs as often as is asked for at least, a quick one no more often than allowed", async () => {
  const slow = await repeat({ ...limits, run: () => Bun.sleep(5), forMs: 1 });
  expect(slow.waitsMs).toHaveLength(2);
  const quick = await repeat({ ...limits, run: async () => {}, forMs: 60_000 });
  expect(quick.waitsMs).toHaveLength(5);
});

test("the processor time of the caller is told for one run", async () => {
  const usedUs = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const busy = async () => {
    const end = usedUs() + 20_000;
    while (usedUs() < end);
  };
  const before = usedUs();
  const { ownMs, databaseMs } = await repeat({ ...limits, run: busy, forMs: 1 });
  expect(ownMs).toBeGreaterThanOrEqual(20);
  // Of two runs it is half, whatever else the process did meanwhile.
  expect(ownMs).toBeLessThan((0.75 * (usedUs() - before)) / 1_000);
  expect(databaseMs).toBe(0);
});
