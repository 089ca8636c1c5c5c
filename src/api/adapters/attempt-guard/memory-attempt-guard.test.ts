import { describe, expect, test } from "bun:test";
import {
  budgetOf,
  failIn,
  inParallel,
  kindOf,
  testAttemptGuard,
} from "#api/testing/attempt-guard-contract.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { createMemoryAttemptGuard } from "./memory-attempt-guard.ts";

testAttemptGuard("the guard in memory", async () => {
  const clock = createTestClock();
  return {
    guard: createMemoryAttemptGuard({ clock }),
    pass: async (ms) => clock.advance(ms),
    close: async () => {},
  };
});

test("who would be the sixty-fifth to wait for one key is told to come back", async () => {
  const guard = createMemoryAttemptGuard({ clock: createTestClock() });
  const { promise, resolve } = Promise.withResolvers<void>();
  const attempts = inParallel(67, () =>
    kindOf(
      guard.run(
        [budgetOf("busy", 1)],
        () => promise,
        () => true,
      ),
    ),
  );
  resolve();
  const outcomes = await attempts;
  expect(outcomes.filter((outcome) => outcome === "BUSY")).toHaveLength(2);
  expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(65);
});

describe("a guard with many keys", () => {
  const guardOf = (mostKeys: number) => createMemoryAttemptGuard({ clock: createTestClock(), mostKeys });

  test("frees no one who is locked out, however many fresh keys there are", async () => {
    const guard = guardOf(10);
    await failIn(guard, budgetOf("locked", 1));
    for (let n = 0; n < 100; n += 1) await failIn(guard, budgetOf(`fresh ${n}`, 2));
    expect(await failIn(guard, budgetOf("locked", 1))).toBe("RATE_LIMITED");
  });

  test("remembers those that failed last", async () => {
    const guard = guardOf(10);
    for (let n = 0; n < 100; n += 1) await failIn(guard, budgetOf(`fresh ${n}`, 2));
    for (let n = 95; n < 100; n += 1)
      expect(await failIn(guard, budgetOf(`fresh ${n}`, 1))).toBe("RATE_LIMITED");
    expect(await failIn(guard, budgetOf("fresh 0", 1))).toBe("failed");
  });

  test("still counts the others when very many are locked out", async () => {
    const guard = guardOf(10);
    for (let n = 0; n < 100; n += 1) await failIn(guard, budgetOf(`locked ${n}`, 1));
    expect(await failIn(guard, budgetOf("locked 99", 1))).toBe("RATE_LIMITED");
    expect(await failIn(guard, budgetOf("fresh", 2))).toBe("failed");
    expect(await failIn(guard, budgetOf("fresh", 2))).toBe("failed");
    expect(await failIn(guard, budgetOf("fresh", 2))).toBe("RATE_LIMITED");
  });
});

test("R7: a clock that is set frees no one, and locks no one out for longer", async () => {
  for (const turnMs of [3_600_000, -3_600_000, 86_400_000, -86_400_000]) {
    const clock = createTestClock();
    const guard = createMemoryAttemptGuard({ clock });
    await failIn(guard, budgetOf("key", 1));
    clock.advance(20_000);
    clock.turn(turnMs);
    const refusal = await guard.spend([budgetOf("key", 1)]).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ kind: "RATE_LIMITED", retryAfterS: 40 });
    clock.advance(40_000);
    expect(await failIn(guard, budgetOf("key", 1))).toBe("failed");
  }
});
