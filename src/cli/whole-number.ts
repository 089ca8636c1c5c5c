import { InvalidArgumentError } from "commander";

/** Reads an option that is a number of rows. Throws for anything but one to nine digits. */
export const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};
