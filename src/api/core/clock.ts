/** The time as operations see it; tests inject one that they move themselves. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
