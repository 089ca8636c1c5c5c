import { describe, expect, test } from "bun:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sandboxLimits } from "../sandbox-limits.ts";
import { createCollector } from "./run-plugin-child.ts";

const counted = () => {
  let times = 0;
  const collector = createCollector(() => {
    times += 1;
  });
  return { ...collector, times: () => times };
};

describe("garbage", () => {
  test("is collected once after so many messages or bytes, and not within a message", async () => {
    for (const [count, bytes] of [
      [sandboxLimits.uncollectedMessages, 1],
      [2, sandboxLimits.uncollectedBytes / 2],
    ] as const) {
      const collector = counted();
      for (let n = 0; n < count - 1; n += 1) collector.passed(bytes);
      await nextTurn();
      expect(collector.times()).toBe(0);
      for (let n = 0; n < 3; n += 1) collector.passed(bytes);
      expect(collector.times()).toBe(0);
      await nextTurn();
      expect(collector.times()).toBe(1);
    }
  });

  test("that a plugin left over is collected once it rests, and never for a call or two", () => {
    const collector = counted();
    for (let n = 0; n < 10; n += 1) {
      collector.passed(100);
      collector.rest();
      collector.rest();
    }
    expect(collector.times()).toBe(0);
    collector.passed(sandboxLimits.uncollectedBytes / 2);
    collector.rest();
    expect(collector.times()).toBe(0);
    collector.rest();
    collector.rest();
    expect(collector.times()).toBe(1);
  });
});
