import { expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import { atLeast } from "./timing.ts";

const elapsedMs = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = Bun.nanoseconds();
  await work().catch(() => {});
  return (Bun.nanoseconds() - begun) / 1e6;
};

test("quick work, failed work and no work are answered no sooner than the floor", async () => {
  expect(await elapsedMs(() => atLeast(30, async () => 1))).toBeGreaterThanOrEqual(29);
  expect(await elapsedMs(() => atLeast(30, () => Promise.reject(new Error("no"))))).toBeGreaterThanOrEqual(
    29,
  );
});

test("the result and the failure come through", async () => {
  expect(await atLeast(1, async () => "result")).toBe("result");
  expect(String(await failureOf(atLeast(1, () => Promise.reject(new Error("broken")))))).toContain("broken");
});
