import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Another process has the data folder open. `pid` is `null` when it could not be read. */
export class DataFolderInUseError extends Error {
  readonly pid: number | null;

  constructor(dataDir: string, pid: number | null) {
    super(`The data directory ${dataDir} is in use by ${pid === null ? "another process" : `pid ${pid}`}`);
    this.name = "DataFolderInUseError";
    this.pid = pid;
  }
}

/** The database cannot be used at all. The message is for the operator and says what to do. */
export class DatabaseUnusableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DatabaseUnusableError";
  }
}

/** The database is empty, and this command does not create an installation. The message is for the operator. */
export class NoInstallationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoInstallationError";
  }
}

/** The database must not be opened by this program, now or at a next try. The message is for the operator and says what to do. */
export class UnfitDatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnfitDatabaseError";
  }
}

/**
 * What a process said of its end, in one line: the message of the error that ended it, without the source code, the
 * fields, the stack and the version that the runtime prints around it. Empty where it said nothing.
 */
export const crashReason = (printed: string): string => {
  const said = printed.split("\n").find((line) => line.trim() !== "" && !surroundings.test(line)) ?? "";
  return said
    .trim()
    .replace(/^error: /, "")
    .slice(0, longest);
};

// `242 | code`, the mark below it, `   code: "ENOSPC"`, `  at file:1:2`, and the last line.
const surroundings = /^\s*\d+ \||^\s*\^+\s*$|^\s+\w+: |^\s+at |^Bun v\d/;
const longest = 200;

/** Throws when there is a file in place of the data folder or a folder above it. */
export const refuseFile = (dataDir: string): void => {
  let place = dataDir;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  if (!existsSync(place) || statSync(place).isDirectory()) return;
  throw new UnfitDatabaseError(
    `The data folder ${dataDir} cannot be used: ${place === dataDir ? "it" : place} is a file. Set a folder with DATA_DIR`,
  );
};

/** Makes the data folder, for its owner alone, if it is not there. Throws when this user cannot work in it. */
export const makeUsable = (dataDir: string): void => {
  refuseFile(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new DatabaseUnusableError(
        `The data folder ${dataDir} could not be created: the disk is full. Free up disk space`,
      );
    throw new UnfitDatabaseError(
      `The data folder ${dataDir} cannot be used by this user (${String(code)}). Run as the folder's owner, or set another folder with DATA_DIR`,
    );
  }
};

const othersWriting = 0o002;

/** What is to be said of a data folder that every user of the machine may write to; `null` for any other. */
export const openFolderComplaint = (dataDir: string): string | null =>
  !existsSync(dataDir) || (statSync(dataDir).mode & othersWriting) === 0
    ? null
    : `every user of this machine can write to the data folder ${dataDir}: run chmod 700 ${dataDir}`;
