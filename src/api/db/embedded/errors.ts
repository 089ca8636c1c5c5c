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

/** There is nothing in the database yet, and whoever looks may not make it. The message is for the operator. */
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
