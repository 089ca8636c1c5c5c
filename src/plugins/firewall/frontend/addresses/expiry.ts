/** How long an entry can be valid, by name; `keep` is as it is, `moment` one to be chosen. */
export const expiryChoices = ["never", "1h", "12h", "1d", "7d", "30d", "moment"] as const;
export type ExpiryChoice = (typeof expiryChoices)[number] | "keep";

const hourMs = 3_600_000;
const lengths: Partial<Record<ExpiryChoice, number>> = {
  "1h": hourMs,
  "12h": 12 * hourMs,
  "1d": 24 * hourMs,
  "7d": 168 * hourMs,
  "30d": 720 * hourMs,
};

/** A choice by its name; what is none counts as for good. */
export const readExpiry = (text: string): ExpiryChoice =>
  text === "keep" ? "keep" : (expiryChoices.find((choice) => choice === text) ?? "never");

/**
 * When an entry ends, in ISO 8601: `null` for never, `undefined` for as it is now. `moment` is what a `datetime-local` field
 * holds, in the reader's own time.
 */
export const expiresAtOf = (choice: ExpiryChoice, { moment, now }: { moment: string; now: number }) => {
  if (choice === "keep") return undefined;
  if (choice === "moment") return new Date(moment).toISOString();
  const length = lengths[choice];
  return length === undefined ? null : new Date(now + length).toISOString();
};

/** Whether a `datetime-local` text is a moment after `now`. */
export const isToCome = (moment: string, now: number): boolean => Date.parse(moment) > now;
