import { type CommanderError, InvalidArgumentError } from "commander";
import { usage } from "#cli/failure.ts";
import { cleanupDays, readFilterDate } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";

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

/** Reads an option that is a number. Throws for anything but one to nine digits. */
export const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};

/** Reads an option that is a number of something there must be one of at least. Throws for anything else. */
export const atLeastOne = (text: string): number => {
  const count = wholeNumber(text);
  if (count < 1) throw new InvalidArgumentError("It must be a whole number from 1.");
  return count;
};

/** Reads an option that is the number of an activity. Throws for what the API would not take. */
export const activityId = (text: string): number => {
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > limits.activityId)
    throw new InvalidArgumentError("It must be the number of an activity, a whole number from 1.");
  return id;
};

/** Reads an option that is an age of activities in days. Throws for what the API would not take. */
export const daysToKeep = (text: string): number => {
  const days = wholeNumber(text);
  if (days < cleanupDays.least || days > cleanupDays.most) {
    throw new InvalidArgumentError(`It must be ${cleanupDays.least} to ${cleanupDays.most}.`);
  }
  return days;
};

/** Reads an option that may be repeated: what it was given so far, and this. */
export const collected = (value: string, before: string[] = []): string[] => [...before, value];

type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** The options that were typed: without those that are `undefined`, which a query would spell out. */
export const given = <Options extends object>(options: Options): Given<Options> =>
  withoutUndefined<Given<Options>>(
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  );

// Object.fromEntries forgets the names; these are the same ones, but for those whose value is `undefined`.
const withoutUndefined = <Result>(entries: object) => entries as Result;

/**
 * For a command's `exitOverride`: adds to the complaint about a missing argument what is expected. Commander itself names
 * the choices only of an argument that is there.
 */
export const missingArgument =
  (expected: string) =>
  (error: CommanderError): never => {
    if (error.code !== "commander.missingArgument") throw error;
    throw usage(`${error.message.replace(/^error: /, "")}. ${expected}`);
  };
