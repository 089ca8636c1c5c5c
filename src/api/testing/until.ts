import { setTimeout as sleep } from "node:timers/promises";

/** Asks again and again until `condition` holds and does not throw; throws after `limitMs`. Resolves to the time it took. */
export const until = async (condition: () => unknown, limitMs = 10_000): Promise<number> => {
  const startedAt = performance.now();
  let lastError: unknown = "the condition did not hold";
  while (performance.now() - startedAt < limitMs) {
    try {
      if (await condition()) return performance.now() - startedAt;
    } catch (error) {
      lastError = error;
    }
    await sleep(20);
  }
  throw new Error(`not within ${limitMs} ms`, { cause: lastError });
};
