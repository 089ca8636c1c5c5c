const pausesMs = [10_000, 30_000, 60_000];

/** What the worker believes of the mail server. */
export type ServerHealth = {
  /** How many mails may be tried at once: none during a pause, one to find out, else `most`. */
  allowance(now: Date, most: number): number;
  /** Nothing got through, for a reason. Returns whether that is news. */
  failed(now: Date, reason: string): boolean;
  /** A mail got through. Returns whether that is news. */
  answered(): boolean;
  /** Ends a pause: somebody wants to know at once whether the server is back. */
  hurry(): void;
  /** Why the last try got through to nobody; `null` when it did, and before the first one. */
  readonly lastError: string | null;
};

/**
 * Spares a mail server that is away, and the mails: while it does, only one is tried after pauses of 10, 30 and then 60
 * seconds, and the rest are still due at once when it is back.
 */
export const createServerHealth = (): ServerHealth => {
  let failures = 0;
  let pausedUntilMs = 0;
  let lastError: string | null = null;
  return {
    get lastError() {
      return lastError;
    },
    hurry: () => {
      pausedUntilMs = 0;
    },
    allowance: (now, most) => {
      if (now.getTime() < pausedUntilMs) return 0;
      return failures > 0 ? 1 : most;
    },
    failed: (now, reason) => {
      lastError = reason;
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
      lastError = null;
      return isNews;
    },
  };
};
