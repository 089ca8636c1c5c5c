import { InvalidArgumentError } from "commander";
import { readFilterDate } from "#contract/activity-rules.ts";

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const span = /^(\d{1,6})([smhdw])$/;

/**
 * Reads an option that is a date, a moment or a span back from `now`, as the API takes it: a date stays one (that day in
 * UTC), the others become moments. A moment without an offset is in UTC. Throws for anything else, such as 30 February.
 */
export const readMoment = (text: string, now: Date): string => {
  const typed = text.trim();
  const [, count = "", unit = ""] = span.exec(typed) ?? [];
  if (isUnit(unit)) return checked(new Date(now.getTime() - Number(count) * unitMs[unit]).toISOString());
  return checked(withOffset(typed.toUpperCase().replace(" ", "T")));
};

const withOffset = (moment: string): string => (/T[\d:.]+$/.test(moment) ? `${moment}Z` : moment);

const checked = (moment: string): string => {
  if (readFilterDate(moment) !== null) return moment;
  throw new InvalidArgumentError(
    "It must be a date (2026-01-31), a moment in UTC or with an offset (2026-01-31T12:00), or a span back from now: " +
      "30m, 24h, 7d, 2w.",
  );
};

const isUnit = (unit: string): unit is keyof typeof unitMs => Object.hasOwn(unitMs, unit);
