/** How much of something is allowed in a time. */
export type Allowance = {
  /** Takes some of it; `false`, and takes nothing, when it is used up. */
  take(amount: number): boolean;
  /** Milliseconds until there is all of it again. */
  restMs(): number;
};

/** Allows `most` in each window of `windowMs`. */
export const createAllowance = (most: number, windowMs: number): Allowance => {
  let startedAt = performance.now();
  let left = most;
  return {
    take: (amount) => {
      const now = performance.now();
      if (now - startedAt >= windowMs) {
        startedAt = now;
        left = most;
      }
      if (amount > left) return false;
      left -= amount;
      return true;
    },
    restMs: () => Math.max(0, startedAt + windowMs - performance.now()),
  };
};
