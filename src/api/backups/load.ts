import { sql } from "drizzle-orm";
import type { DatabasePool } from "#api/core/database.ts";
import { sqlStateOf } from "#api/db/errors.ts";
import { readApplied, readJournal, thisProgram } from "#api/db/migration-journal.ts";
import { applyMigrations, removeSchema, tablesThrough } from "#api/db/rebuild-schema.ts";
import {
  beginLoad,
  type FinishInput,
  finishLoad,
  type Load,
  type LoadedTable,
  loadPart,
} from "#api/db/transfer/load-tables.ts";
import { UnfitPartError } from "#api/db/transfer/moved-note.ts";
import { isOwnTable, type TransferDatabase } from "#api/db/transfer/transfer-tables.ts";
import { partBytes } from "#api/modules/storage/index.ts";
import {
  ArchiveError,
  archiveError,
  type Dump,
  type DumpEntry,
  entryPlace,
  type Manifest,
} from "./archive/format.ts";

/** How far a load has come; `step` is what is done once all rows are there. */
export type LoadProgress = { table: string; rows: number; readBytes: number; step: string | null };

type LoadInput = Pick<FinishInput, "isInTransaction" | "prove"> & {
  target: TransferDatabase;
  /** What `beginLoad` gave for that target. */
  load: Load;
  dump: Dump;
  /** What it throws ends the load. */
  onProgress: (progress: LoadProgress) => void;
};

/** What came out of a dump. `key` is the installation's, if it was in there. */
export type Loaded = {
  tables: LoadedTable[];
  rows: number;
  objects: number;
  readBytes: number;
  key: string | null;
};

/**
 * Brings a dump into a database: all rows, the contents of objects. An entry is read while the one before is written.
 * Throws `ArchiveError` and `TransferError`; the load is unfinished then, and nothing of it is under way any more.
 */
export const loadDump = async ({ target, load, dump, onProgress, ...finish }: LoadInput): Promise<Loaded> => {
  const loaded: Loaded = { tables: [], rows: 0, objects: 0, readBytes: 0, key: null };
  const expected: Record<string, number> = {};
  const expect = (table: string, rows: number): void => {
    expected[table] = (expected[table] ?? 0) + rows;
  };
  const copies: string[] = [];
  const progress = (table: string, step: string | null): void =>
    onProgress({ table, rows: loaded.rows, readBytes: loaded.readBytes, step });

  const take = async ({ name, bytes, rows = 0 }: DumpEntry): Promise<void> => {
    loaded.readBytes += bytes.byteLength;
    const place = entryPlace(name);
    if (place?.kind === "key") loaded.key = new TextDecoder().decode(bytes).trim();
    else if (place?.kind === "object") {
      copies.push(place.version);
      expect("stored_object_parts", await writeCopy(target, place.version, bytes));
    } else if (place?.kind !== "part") throw archiveError("altered");
    else {
      await loadPart(target, load, { ...place, rows, bytes });
      expect(place.table, rows);
      loaded.rows += dump.manifest.tables.includes(place.table) ? rows : 0;
      progress(place.table, null);
    }
  };

  let arriving: Promise<void> = Promise.resolve();
  try {
    for await (const entry of dump.entries) {
      await arriving;
      arriving = take(entry);
      // It is awaited before the next one; a failure until then is heard of there.
      arriving.catch(() => {});
    }
  } catch (error) {
    // Whoever cleans up must not meet an entry that is still under way; if that one failed, it failed first.
    await arriving;
    throw error;
  }
  await arriving;
  const { tables } = await finishLoad(target, load, {
    ...finish,
    expected,
    onStep: (step) => progress("", step),
  });
  await bringHome(target, copies);
  return { ...loaded, tables, objects: copies.length };
};

/**
 * Makes the target what a backup holds, in the place of whatever the product kept there, in the shape that its tables had.
 * Throws as {@link loadDump} does; the target is of no use then.
 */
export const loadBackup = (input: Omit<LoadInput, "load">): Promise<Loaded> =>
  orAltered(async () => {
    const { target, dump } = input;
    const { migrations, ownMigrations, tables } = dump.manifest;
    const rebuild = async (db: DatabasePool): Promise<void> => {
      await db.transaction((tx) => removeSchema(tx));
      await applyMigrations(db, { through: migrations.at(-1) ?? null, own: ownMigrations.length });
    };
    if (!(await isNewInShape(target, dump.manifest))) await target.exclusively(rebuild);
    const load = await beginLoad(target, { how: "Run the same `atrium restore` again", tables });
    return loadDump({ ...input, load });
  });

/** What the database says about data of a backup that no database can have held becomes an `ArchiveError`. */
export const orAltered = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const isUnfit = error instanceof UnfitPartError || unfitStates.test(sqlStateOf(error) ?? "");
    throw isUnfit ? archiveError("altered", error) : error;
  }
};

// Data exceptions and violated constraints.
const unfitStates = /^(?:21|22|23)/;

/** Whether it is a database made for this, which came in the shape of the backup: to build that again takes a second or two. */
const isNewInShape = async (
  { db, kind }: TransferDatabase,
  { migrations, ownMigrations }: Pick<Manifest, "migrations" | "ownMigrations">,
): Promise<boolean> => {
  if (kind !== "embedded" || ownMigrations.length > 0 || (await readApplied(db, "own")).length > 0)
    return false;
  const [journal, applied] = [await readJournal(thisProgram), await readApplied(db)];
  const there = journal.filter(({ when }) => applied.some((row) => row.when === when));
  return (
    there.length === applied.length &&
    there.length === migrations.length &&
    there.every(({ tag }, at) => tag === migrations[at])
  );
};

/** Writes what lay in a bucket into the database; resolves to how many pieces it has there. */
const writeCopy = async ({ db }: TransferDatabase, version: string, bytes: Uint8Array): Promise<number> => {
  let part = 0;
  for (let start = 0; start < bytes.byteLength; start += partBytes, part += 1) {
    const content = Buffer.from(bytes.subarray(start, start + partBytes)).toString("hex");
    await db.execute(sql`
      insert into stored_object_parts (version, part, content) values (${version}, ${part}, decode(${content}, 'hex'))`);
  }
  return part;
};

/** From now on the catalogue finds these copies in the database; a server moves them to its bucket, if it has one. */
const bringHome = async ({ db }: TransferDatabase, versions: readonly string[]): Promise<void> => {
  for (const version of versions)
    await db.execute(sql`update stored_objects set bucket = null where version = ${version}`);
};

/** Throws an `ArchiveError` for a backup whose tables this program cannot take or bring up to date. */
export const checkSchema = async (manifest: Manifest): Promise<void> => {
  const { migrations, version } = manifest;
  const journal = await readJournal(thisProgram);
  const unknown = migrations.filter((name) => !journal.some(({ tag }) => tag === name));
  if (unknown.length > 0)
    throw new ArchiveError(
      "newer_schema",
      `The backup was made by a newer version of Atrium: ${version}, with ${unknown.length === 1 ? "1 change" : `${unknown.length} changes`} of the database that this version, ${thisProgram.version}, doesn't know. Restore it with ${version} or a later one`,
    );
  if (migrations.length === 0 || migrations.some((name, at) => journal[at]?.tag !== name))
    throw archiveError("altered");
  await checkOwn(manifest);
  const tables = manifest.tables.filter((name) => !isOwnTable(name));
  const made = await tablesThrough(migrations.at(-1) ?? "");
  const isSame = new Set(tables).size === tables.length && tables.length === made.size;
  if (!isSame || tables.some((name) => !made.has(name))) throw archiveError("altered");
};

/** Throws an `ArchiveError` for a backup with tables of own features that this program has not, or not any more. */
const checkOwn = async ({ ownMigrations, tables }: Manifest): Promise<void> => {
  const own = tables.filter(isOwnTable);
  if (own.length === 0 && ownMigrations.length === 0) return;
  const journal = await readJournal(thisProgram, "own");
  if (ownMigrations.every((when, at) => when === String(journal[at]?.when)) && ownMigrations.length > 0)
    return;
  throw new ArchiveError(
    "newer_schema",
    `The backup holds tables of own features (${own.join(", ")}), and this program lacks migrations that made them. Restore it with the program that made it, or a later one`,
  );
};
