import { describe, expect, test } from "bun:test";
import { nextTurn } from "#api/core/timing.ts";
import { createCredentialCheck, type Versioned } from "./credentials.ts";

const session: Versioned = { tokenHash: "hash", version: "1" };

/** A check whose questions are answered immediately, and when each of them left. */
const followed = () => {
  const leftAtMs: number[] = [];
  const check = createCredentialCheck(async () => {
    leftAtMs.push(performance.now());
    return new Set();
  });
  return {
    leftAtMs,
    ask: (callers: number) => Promise.all(Array.from({ length: callers }, () => check(session))),
  };
};

describe("the question about sessions", () => {
  for (const callers of [1, 4, 16])
    test(`leaves without a pause after one that ${callers} shared`, async () => {
      const { leftAtMs, ask } = followed();
      await ask(callers);
      const answered = ask(callers);
      // Whatever waits for a timer is not there yet.
      expect(await Promise.race([answered, nextTurn()])).toBeArrayOfSize(callers);
      expect(leftAtMs).toBeArrayOfSize(2);
    });

  test("waits a millisecond after one that 17 shared, so that more share it", async () => {
    const { leftAtMs, ask } = followed();
    await ask(17);
    await ask(1);
    const [first = 0, second = 0] = leftAtMs;
    expect(second - first).toBeGreaterThanOrEqual(0.9);
  });
});
