import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listSnapshots, restoreCommand } from "../snapshots/snapshot-files.ts";
import { openEngine } from "./engine.ts";
import { freeBytesIn, isFullError, syncPath, syncTree } from "./free-space.ts";
import { isEmptied, keptBeside, unpackCluster } from "./unpack-cluster.ts";

/** The data folder holds something that must not be opened or written over. The message is for the operator. */
export class UnusableFolderError extends Error {}

/**
 * Makes sure that `folder` holds a whole cluster: unpacks the seed, or has the engine make one, where there is none.
 * Throws {@link UnusableFolderError} for anything else at that path.
 */
export const ensureCluster = async (folder: string, seedFile: string | null): Promise<void> => {
  if (await isCluster(folder)) return;
  // Under another name until it is complete and synced, so that the rest of a crash is never used as a database.
  const draft = `${folder}.tmp`;
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    if (seedFile) await unpackCluster(seedFile, draft);
    else await (await openEngine({ folder: draft })).close();
    await syncTree(draft);
    await rename(draft, folder);
  } catch (error) {
    // Half a database would use the disk space that is missing.
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  await syncPath(dirname(folder));
};

const isCluster = async (folder: string): Promise<boolean> => {
  if (!existsSync(folder)) return refuseIfLost(folder, "is missing");
  if (!statSync(folder).isDirectory()) throw await damaged(folder, "is no folder");
  try {
    for (const name of ["", "PG_VERSION", "global/pg_control"]) accessIfThere(join(folder, name));
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    throw new UnusableFolderError(
      `The database folder ${folder} cannot be used by this user (${String(code)}). Run as the folder's owner`,
    );
  }
  if (readdirSync(folder).length === 0) return refuseIfLost(folder, "is empty");
  const versionFile = join(folder, "PG_VERSION");
  if (!existsSync(versionFile)) throw await damaged(folder, "is damaged: its file PG_VERSION is missing");
  const version = readFileSync(versionFile, "utf8").trim();
  if (!/^\d+$/.test(version)) throw await damaged(folder, "is damaged: its file PG_VERSION is unreadable");
  if (version !== engineVersion) {
    throw new UnusableFolderError(
      `The database folder ${folder} was created by PostgreSQL ${version}, and this program contains PostgreSQL ${engineVersion}. Nothing was changed. Start the version that created it and make a backup there. ${await remedyFor(folder)}`,
    );
  }
  const missing = required.find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) throw await damaged(folder, `is damaged: ${missing} is missing`);
  return true;
};

// Without one of these the engine would not start, or would make a new cluster.
const required = ["global/pg_control", "base", "pg_wal", "pg_xact", "pg_multixact", "postgresql.conf"];

const accessIfThere = (path: string): void => {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
};

/** Whether there was a database: `false` in a new installation, `true` where something of a database is kept. */
const refuseIfLost = async (folder: string, what: string): Promise<false> => {
  const dataDir = dirname(folder);
  const { backups, former } = keptBeside(dataDir);
  if (backups.length > 0 || former.length > 0 || (await listSnapshots(dataDir)).length > 0)
    throw await damaged(folder, what);
  if (isEmptied(dataDir)) throw await damaged(folder, `${what}, beside the key of an installation`);
  return false;
};

const damaged = async (folder: string, what: string): Promise<UnusableFolderError> =>
  new UnusableFolderError(
    `The database folder ${folder} ${what}. Nothing was changed. ${await remedyFor(folder)}`,
  );

/** What an operator can do about a database folder that is damaged: the command to run, where something of it is kept. */
const remedyFor = async (folder: string): Promise<string> => {
  const dataDir = dirname(folder);
  const [newest] = await listSnapshots(dataDir);
  if (newest !== undefined)
    return `The newest snapshot of it is ${newest.name}: restore it with \`${restoreCommand(newest)}\`, or restore a backup with \`atrium restore\``;
  const { backups, former } = keptBeside(dataDir);
  const ways = [
    ...backups
      .slice(0, 1)
      .map(
        (path) =>
          `restore the newest backup here with \`atrium restore ${path} --yes --data-dir ${dataDir}\``,
      ),
    ...former.slice(0, 1).map((path) => `move the former database ${path} back to ${folder}`),
  ];
  if (ways.length === 0)
    return "There is no snapshot of it: restore a backup with `atrium restore`, or move the folder away to start with an empty database";
  const left = [
    "database",
    ...(backups.length > 0 ? ["backups"] : []),
    ...(former.length > 0 ? ["database.replaced-*"] : []),
  ];
  return `There is no snapshot of it: ${ways.join(", or ")}. If the installation is in PostgreSQL, set DATABASE_URL; to start with an empty database, move ${left.join(" and ")} away`;
};

/** Major version of the engine: its clusters cannot be opened by another. */
const engineVersion = "18";

/** Why a database cannot be opened, for the operator; `isFinal` where another automatic try would change nothing. */
type OpeningFault = { text: string; isFinal: boolean };

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
