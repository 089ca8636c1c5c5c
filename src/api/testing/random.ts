/** Random choices that are the same for the same seed. */
export type Random = {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** True once in `odds` times, on average. */
  once(odds: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
};

/** Starts a sequence of choices. Source of the generator: mulberry32 (Tommy Ettinger, public domain). */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    once: (odds) => below(odds) === 0,
    pick: (items) => items[below(items.length)] ?? items[0],
  };
};

/** The seed to run with: `TEST_SEED` replays a run that was printed; otherwise a new one. */
export const testSeed = (): number => Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));
