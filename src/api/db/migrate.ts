import { eq, sql } from "drizzle-orm";
import { migrate as runMigrator } from "drizzle-orm/postgres-js/migrator";
import { AppError } from "#api/core/app-error.ts";
import type { Database, DatabasePool } from "#api/core/database.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { UnfitDatabaseError } from "./embedded/errors.ts";
import { databaseError, sqlStateOf } from "./errors.ts";
import {
  type AppliedMigration,
  countStrangers,
  dateList,
  findPending,
  type JournalEntry,
  listNames,
  makeList,
  migrateOwn,
  migrationsOf,
  type Owner,
  type Program,
  readApplied,
  readJournal,
  thisProgram,
} from "./migration-journal.ts";
import { installation } from "./schema.ts";
import { restoreCommand } from "./snapshots/snapshot-files.ts";

/** One migration; `appliedAt` is an ISO instant, or `null` while it is pending. */
export type MigrationStatus = { name: string; appliedAt: string | null };

/** A program that migrates, and what it asks for on the way. */
export type Migrating = Program & {
  /** Called about once a second while another process migrates the same database. */
  onWait?: (waitedMs: number) => void;
  /** Called when it is this process's turn, before it changes anything; what it throws ends the migration. */
  beforeChange?: (db: Database) => Promise<void>;
};

/**
 * Migrates the database to the program's schema, one process at a time, and records the program's version in it. An
 * embedded database with data is copied first. Throws `UnfitDatabaseError` when the database is newer than the program
 * or cannot be copied, `DB_UNAVAILABLE` when it is away.
 */
export const migrate = async (handle: DatabaseHandle, program: Migrating = thisProgram): Promise<void> => {
  const isDone = async (db: Database): Promise<boolean> => {
    const { pending, applied } = await compare(handle, db, program);
    const own = await compareOwn(db, program);
    return (
      pending.length + own.pending.length === 0 &&
      [...applied, ...own.applied].every(({ appliedAt }) => appliedAt !== null)
    );
  };
  try {
    if (await isDone(handle.db)) return await stampVersion(handle.db, program.version);
    await handle.exclusively(async (db) => {
      // Another replica may have done it in the meantime.
      if (!(await isDone(db))) {
        await program.beforeChange?.(db);
        await bringUpToDate(handle, db, program);
      }
      await stampVersion(db, program.version);
    }, program.onWait);
  } catch (error) {
    throw databaseError(error) ?? error;
  }
};

/** Every migration of this program, oldest first, and then those of own features. Throws as {@link migrate} does. */
export const migrationStatus = async (handle: DatabaseHandle): Promise<MigrationStatus[]> => [
  ...statusOf(await compare(handle, handle.db, thisProgram)),
  ...statusOf(await compareOwn(handle.db, thisProgram), ownFolder),
];

/** The same for an installation whose database has not been made yet: everything is pending. */
export const migrationsOfNewDatabase = async (): Promise<MigrationStatus[]> => [
  ...statusOf({ journal: await readJournal(thisProgram), applied: [] }),
  ...statusOf({ journal: await readJournal(thisProgram, "own"), applied: [] }, ownFolder),
];

const ownFolder = "own/";

/** Whether a migration, by its name in {@link MigrationStatus}, is one of an own feature. */
export const isOwnMigration = (name: string): boolean => name.startsWith(ownFolder);

type Compared = { journal: JournalEntry[]; applied: AppliedMigration[] };

const statusOf = ({ journal, applied }: Compared, folder = ""): MigrationStatus[] =>
  journal.map(({ tag, when }) => ({
    name: `${folder}${tag}`,
    appliedAt: applied.find((row) => row.when === when)?.appliedAt ?? null,
  }));

/**
 * Throws an `UnfitDatabaseError` where a newer program has changed the database. Not within a transaction: a database without
 * tables would end that.
 */
export const refuseNewer = async (
  handle: Pick<DatabaseHandle, "db" | "snapshots">,
  program = thisProgram,
): Promise<void> => {
  const [journal, applied] = [await readJournal(program), await readApplied(handle.db)];
  if (countStrangers(journal, applied) > 0) throw await refusedDowngrade(handle, program.version);
};

const compare = async (handle: DatabaseHandle, db: Database, program: Program) => {
  const journal = await readJournal(program);
  const applied = await readApplied(db);
  if (countStrangers(journal, applied) > 0) throw await refusedDowngrade(handle, program.version);
  return { journal, applied, pending: findPending(journal, applied) };
};

/** How many migrations of own features were applied that this program lacks. */
export const countUnknownOwn = async (db: Database): Promise<number> =>
  countStrangers(await readJournal(thisProgram, "own"), await readApplied(db, "own"));

/** The same for the migrations of own features; what another program applied keeps none from starting. */
const compareOwn = async (db: Database, program: Program) => {
  const [journal, applied] = [await readJournal(program, "own"), await readApplied(db, "own")];
  return { journal, applied, pending: findPending(journal, applied) };
};

const bringUpToDate = async (handle: DatabaseHandle, db: DatabasePool, program: Program): Promise<void> => {
  const { pending, applied } = await compare(handle, db, program);
  const own = await compareOwn(db, program);
  if (pending.length + own.pending.length > 0 && isInUse(applied)) {
    await copyBefore(handle, program.version);
    // Now, because an older program has to name it even if this one gets no further than its migrations.
    await stampVersion(db, program.version);
  }
  await runMigrations(db, program);
  if (own.journal.length > 0) await migrateOwn(program, own.pending, () => runMigrations(db, program, "own"));
};

/** Whether the database has been started before: in the one that a new installation begins with no time is recorded. */
const isInUse = (applied: AppliedMigration[]): boolean => applied.some(({ appliedAt }) => appliedAt !== null);

/** How to go back before an upgrade. A server has its own backups, which the upgrade guide asks for. */
const copyBefore = async ({ snapshots }: DatabaseHandle, version: string): Promise<void> => {
  try {
    await snapshots?.take(version);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "STORAGE_FULL") throw error;
    throw new UnfitDatabaseError(
      `Not enough disk space for the snapshot that is made before version ${version} changes the database. Free up disk space and start again; the previous version still starts`,
    );
  }
};

/**
 * Applies the pending migrations of one owner, all or none, while other replicas keep reading and writing. A migration that waits for a
 * table blocks all others from it, and two of them could wait for each other: so it waits only a moment, rolls back and
 * tries again. The moment is shorter than the second after which PostgreSQL looks for deadlocks, so that no other
 * statement is ever ended for it. Throws when a minute was not enough.
 */
const runMigrations = async (db: DatabasePool, program: Program, owner: Owner = "product"): Promise<void> => {
  const migrationsTable = listNames[owner];
  await makeList(db, owner);
  await db.execute(sql`set lock_timeout = '300ms'`);
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await runMigrator(db, { migrationsFolder: migrationsOf(program, owner), migrationsTable });
        break;
      } catch (error) {
        if (tries === mostTries || !isHeldUp.has(sqlStateOf(error) ?? "")) throw error;
        await Bun.sleep(pauseMs);
      }
    }
  } finally {
    await db.execute(sql`reset lock_timeout`);
  }
  await dateList(db, owner);
};

/** `lock_not_available` and `deadlock_detected`. Source: PostgreSQL's documentation, appendix A. */
const isHeldUp: ReadonlySet<string> = new Set(["55P03", "40P01"]);
const mostTries = 100;
const pauseMs = 300;

/** Says what to do when `version` is started on a database that a newer version has changed. */
export const refusedDowngrade = async (
  handle: Pick<DatabaseHandle, "db" | "snapshots">,
  version: string,
): Promise<UnfitDatabaseError> => {
  const stamp = await readVersionStamp(handle.db);
  const newer = stamp === null || stamp === version ? "a newer version" : `version ${stamp}`;
  return new UnfitDatabaseError(
    `The database is newer than this program: ${newer} of Atrium has changed it, and this is version ${version}. Nothing was changed. ` +
      `Start ${newer} again, or return to the state before the upgrade, losing what was written since: ${await wayBack(handle)}`,
  );
};

const wayBack = async ({ snapshots }: Pick<DatabaseHandle, "snapshots">): Promise<string> => {
  // What the newer one has added there this program does not know, and so cannot remove: a later upgrade would meet it.
  if (snapshots === null)
    return "create an empty database, set DATABASE_URL to it, and restore a backup from before the upgrade with `atrium restore`";
  const made = (await snapshots.list()).find(({ before }) => before !== null);
  return made === undefined
    ? "restore a backup from before it with `atrium restore`"
    : `run \`${restoreCommand(made)}\``;
};

/** The version of the program that opened the database last; `null` for one that none has opened yet. */
export const readVersionStamp = async (db: Database): Promise<string | null> => {
  try {
    const [row] = await db
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.key, versionStampKey));
    return row?.value ?? null;
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return null;
    throw error;
  }
};

/** Notes that `version` has opened the database. */
export const stampVersion = async (db: Database, version: string): Promise<void> => {
  if ((await readVersionStamp(db)) === version) return;
  await db
    .insert(installation)
    .values({ key: versionStampKey, value: version })
    .onConflictDoUpdate({ target: installation.key, set: { value: version } });
};

/** The row that holds it. */
export const versionStampKey = "program_version";
const undefinedTable = "42P01";
