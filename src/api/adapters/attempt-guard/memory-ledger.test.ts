import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { budgetOf } from "#api/testing/attempt-guard-contract.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { createMemoryLedger } from "./memory-attempt-guard.ts";

const isLocked = (ledger: ReturnType<typeof createMemoryLedger>, key: string, most: number): boolean =>
  ledger.look([budgetOf(key, most)])?.state === "full";

/** What is alive: of what the process has taken from the system, a part is free for whatever comes next. */
const heldBytes = (): number => {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
};

test("R8: a million addresses take no more than a bounded memory, and free no one who is locked out", () => {
  const clock = createTestClock();
  const ledger = createMemoryLedger({ clock });
  for (let n = 0; n < 10; n += 1) ledger.count([budgetOf("offender", 10)]);
  const before = heldBytes();
  for (let n = 0; n < 1_000_000; n += 1) {
    ledger.count([budgetOf(`sign-in:person-${n}@some-domain.example 2001:db8:${n}::/64`, 10)]);
  }
  const grown = heldBytes() - before;
  expect(grown).toBeLessThan(50_000_000);
  expect(ledger.size()).toBeLessThanOrEqual(100_000);
  expect(isLocked(ledger, "offender", 10)).toBe(true);
});

test("looking and holding leave nothing behind", () => {
  const ledger = createMemoryLedger({ clock: createTestClock() });
  const budgets = [budgetOf("one", 1), budgetOf("two", 1)];
  expect(ledger.look(budgets)).toBeNull();
  ledger.hold(budgets);
  expect(ledger.look(budgets)).toMatchObject({ state: "busy" });
  ledger.release(budgets);
  expect(ledger.look(budgets)).toBeNull();
  expect(ledger.size()).toBe(0);
});

test("failures that are over leave nothing behind once someone looks", () => {
  const clock = createTestClock();
  const ledger = createMemoryLedger({ clock });
  ledger.count([budgetOf("one", 1)]);
  clock.advance(60_000);
  expect(isLocked(ledger, "one", 1)).toBe(false);
  expect(ledger.size()).toBe(0);
});
