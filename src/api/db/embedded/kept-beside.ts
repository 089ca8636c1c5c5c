import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What lies in a data folder besides snapshots and tells of a database that it has had: paths, newest first. */
export type KeptBeside = {
  /** Backups in its folder of them. */
  backups: string[];
  /** Databases that a restore has put aside. */
  former: string[];
};

/** Looks for it; what this user may not look into holds nothing. */
export const keptBeside = (dataDir: string): KeptBeside => ({
  backups: entriesOf(join(dataDir, "backups"))
    .filter((path) => /\.tar\.zst(?:\.age)?$/.test(path))
    .map((path) => ({ path, state: statSync(path, { throwIfNoEntry: false }) }))
    .filter(({ state }) => state?.isFile() === true)
    .sort((a, b) => (b.state?.mtimeMs ?? 0) - (a.state?.mtimeMs ?? 0))
    .map(({ path }) => path),
  former: entriesOf(dataDir)
    .filter((path) => /\/database\.replaced-[^/]+$/.test(path))
    .filter((path) => entriesOf(path).length > 0)
    .sort()
    .reverse(),
});

/** Whether a data folder has an empty place for a database, and the key of an installation: no start leaves that behind. */
export const isEmptied = (dataDir: string): boolean =>
  existsSync(join(dataDir, "database")) &&
  entriesOf(join(dataDir, "database")).length === 0 &&
  existsSync(join(dataDir, "app.key"));

const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
};
