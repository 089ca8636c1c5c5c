import { expect, test } from "bun:test";
import { createMemoryAttemptGuard } from "#api/adapters/attempt-guard/memory-attempt-guard.ts";
import { AppError } from "#api/core/app-error.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { countedAttempts } from "../attempt-guard/attempt-guard.ts";
import { countedLimiter } from "./rate-limiter.ts";

test("each refusal of a limit is counted, whether it decides immediately or later, and what it says stays the same", async () => {
  let refused = 0;
  const plain = createLocalRateLimiter(createTestClock());
  const later = { ...plain, take: async (...asked: Parameters<typeof plain.take>) => plain.take(...asked) };
  for (const limiter of [plain, later]) {
    const counted = countedLimiter(limiter, () => {
      refused += 1;
    });
    const rule = { max: 2, windowMs: 1_000 };
    await counted.forget("a");
    const decisions = [
      await counted.take("a", rule),
      await counted.take("a", rule),
      await counted.take("a", rule),
    ];
    expect(decisions.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
    expect(counted.store).toBe("memory");
  }
  expect(refused).toBe(2);
});

test("each refused attempt is counted, and no other failure of what was tried", async () => {
  let refused = 0;
  const guard = countedAttempts(createMemoryAttemptGuard({ clock: createTestClock() }), () => {
    refused += 1;
  });
  const budgets = [{ key: "a", most: 1, windowMs: 1_000, message: () => "too many" }];
  const wrong = () => Promise.reject(new AppError("INVALID_CREDENTIALS"));
  await guard.run(budgets, wrong, () => true).catch(() => {});
  expect(refused).toBe(0);
  expect(guard.run(budgets, wrong, () => true)).rejects.toThrow("too many");
  expect(guard.spend(budgets)).rejects.toThrow("too many");
  await Bun.sleep(0);
  expect(refused).toBe(2);
  await guard.clear(["a"]);
  await guard.spend(budgets);
});
