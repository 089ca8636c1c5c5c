const pausesMs = [10_000, 30_000, 60_000];

/** What the worker believes of the mail server. */
export type ServerHealth = {
  /** How many mails may be tried at once: none during a pause, one to find out, else `most`. */
  allowance(now: Date, most: number): number;
  /** Nothing got through. Returns whether that is news. */
  failed(now: Date): boolean;
  /** A mail got through. Returns whether that is news. */
  answered(): boolean;
};

/**
 * Spares a mail server that is away, and the mails: while it does, only one is tried after pauses of 10, 30 and then 60
 * seconds, and the rest are still due at once when it is back.
 */
export const createServerHealth = (): ServerHealth => {
  let failures = 0;
  let pausedUntilMs = 0;
  return {
    allowance: (now, most) => {
      if (now.getTime() < pausedUntilMs) return 0;
      return failures > 0 ? 1 : most;
    },
    failed: (now) => {
      // Tries that were under way together fail together: that is one failure.
      if (now.getTime() < pausedUntilMs) return false;
      pausedUntilMs = now.getTime() + (pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0);
      failures += 1;
      return failures === 1;
    },
    answered: () => {
      const isNews = failures > 0;
      failures = 0;
      pausedUntilMs = 0;
      return isNews;
    },
  };
};
