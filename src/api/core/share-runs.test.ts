import { expect, test } from "bun:test";
import { shareRuns } from "./timing.ts";

/** Work of which each run lasts until the test ends it. */
const startWork = () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const ask = shareRuns(() => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  return { ends, ask };
};

test("all who ask while it runs share the one run that begins after it", async () => {
  const { ends, ask } = startWork();
  const first = ask();
  await Bun.sleep(0);
  const later = Array.from({ length: 1_000 }, ask);
  await Bun.sleep(0);
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await first;
  await Bun.sleep(0);
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all(later);
  expect(ends).toHaveLength(2);
});

test("a run that fails is told to those who waited for it, and the next one is made", async () => {
  const { ends, ask } = startWork();
  const failing = ask();
  await Bun.sleep(0);
  const next = ask();
  ends[0]?.reject(new Error("no"));
  await expect(failing).rejects.toThrow("no");
  await Bun.sleep(0);
  ends[1]?.resolve();
  await next;
});
