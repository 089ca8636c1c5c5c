import { InvalidArgumentError } from "commander";
import { cleanupDays } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";

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
