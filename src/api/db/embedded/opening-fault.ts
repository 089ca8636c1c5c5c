import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { remedyFor } from "./cluster-folder.ts";
import { freeBytesIn, isFullError } from "./free-space.ts";

/** Why a database cannot be opened, for the operator; `isFinal` where another automatic try would change nothing. */
export type OpeningFault = { text: string; isFinal: boolean };

/**
 * What kept a database from being made in `folder`, which nothing is left of, or one that is there from being looked at. A
 * full disk is worth another try.
 */
export const makingFault = async (folder: string, error: unknown): Promise<OpeningFault> => {
  const text = `The database in ${folder} could not be ${existsSync(folder) ? "opened" : "created"}`;
  // The streams' own errors on a full disk are not helpful.
  if (await isFull(dirname(folder), error)) return fullFault(text);
  return { text: `${text}${whyOf(error)}`, isFinal: false };
};

/**
 * What kept the database in `folder` from being opened; `isUntouched`: not a byte of it was changed. A full disk looks
 * like damage to the engine; there, another try is worth it once there is free space.
 */
export const openingFault = async (
  folder: string,
  error: unknown,
  isUntouched: boolean,
): Promise<OpeningFault> => {
  const text = `The database in ${folder} could not be opened${whyOf(error)}`;
  if (await isFull(folder, error)) return fullFault(text);
  const untouched = isUntouched ? "Nothing was changed. " : "";
  return { text: `${text}: it is damaged. ${untouched}${await remedyFor(folder)}`, isFinal: true };
};

const fullFault = (text: string): OpeningFault => ({
  text: `${text}: the disk is full. Free up disk space`,
  isFinal: false,
});

const isFull = async (folder: string, error: unknown): Promise<boolean> =>
  isFullError(error) || (await freeBytesIn(folder)) < fullDiskBytes;

const fullDiskBytes = 32 * 1024 * 1024;

const whyOf = (error: unknown): string => {
  // The engine's own words hold its source code; the first of them are enough to look it up.
  const reason = (error instanceof Error ? error.message : String(error)).split("\n")[0]?.slice(0, 200);
  // An engine that gave up says how to build it, and at times not a word about why.
  const why = reason?.replace(/^Aborted\((.*)\)\. Build with .*$/, "$1") ?? "";
  return why === "" ? "" : ` (${why})`;
};
