const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const delaysMs = [10 * secondMs, minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs];

// As long as a verification link lives: later the mail would be of no use.
const giveUpAfterMs = 24 * hourMs;

/**
 * When to try a mail again that failed just now, having failed `attempts` times before; `null` when the next try
 * would come more than 24 hours after the mail was written.
 */
export const nextAttempt = (now: Date, mail: { attempts: number; createdAt: Date }): Date | null => {
  const at = now.getTime() + (delaysMs[mail.attempts] ?? hourMs);
  return at - mail.createdAt.getTime() > giveUpAfterMs ? null : new Date(at);
};
