/** The time as operations see it; tests inject one that they move themselves. */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds since some moment in the past, which only grow: whoever sets the machine's clock does not move it. For
   * spans within this process.
   */
  uptimeMs(): number;
};

export const systemClock: Clock = { now: () => new Date(), uptimeMs: () => performance.now() };
