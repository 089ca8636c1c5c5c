import { InvalidArgumentError } from "commander";
import { readFilterDate } from "#contract/activity-rules.ts";

/** Names with commas between them. */
export const readNames = (text: string): string[] => text.split(",").map((name) => name.trim());

/** Reads the last moment at which a key counts: of a day in UTC its end, or `never`. Throws for what is no date. */
export const readEnd = (text: string): string => {
  const typed = text.trim();
  if (typed === "never") return typed;
  if (readFilterDate(typed) === null)
    throw new InvalidArgumentError("It must be a date (2027-01-31), a moment in ISO 8601, or never.");
  return typed.includes("T") ? typed : `${typed}T23:59:59.999Z`;
};

/** That moment as the API takes it: `null` for never. */
export const endOf = (until: string | undefined): string | null | undefined =>
  until === "never" ? null : until;
