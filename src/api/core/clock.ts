/** The time as operations see it; tests inject one that they move themselves. */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds since some moment in the past, which only grow, even when the machine's clock is set. For
   * spans within this process.
   */
  uptimeMs(): number;
};

export const systemClock: Clock = { now: () => new Date(), uptimeMs: () => performance.now() };
