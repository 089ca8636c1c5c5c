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
