const pairsAtLeast = 10;
const pairsAtMost = 100;

/**
 * Milliseconds between the fastest run of the one and of the other, taken in turns. What one does more than the other
 * shows in its fastest run too; a busy machine shows only in the others. Ends early once the gap is below `enoughMs`.
 */
export const timingGapMs = async (
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  enoughMs: number,
): Promise<number> => {
  const fastest = { one: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY };
  const gapMs = () => Math.abs(fastest.one - fastest.other);
  for (let pair = 0; pair < pairsAtMost && (pair < pairsAtLeast || gapMs() >= enoughMs); pair++) {
    fastest.one = Math.min(fastest.one, await elapsedMs(one));
    fastest.other = Math.min(fastest.other, await elapsedMs(other));
  }
  return gapMs();
};

const elapsedMs = async (run: () => Promise<unknown>): Promise<number> => {
  const begun = Bun.nanoseconds();
  await run();
  return (Bun.nanoseconds() - begun) / 1e6;
};
