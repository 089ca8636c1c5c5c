import { sql } from "drizzle-orm";
import type { DatabasePool } from "#api/core/database.ts";
import { readApplied, readJournal, thisProgram } from "#api/db/migration-journal.ts";
import { applyMigrations, removeSchema } from "#api/db/rebuild-schema.ts";
import { beginLoad, finishLoad, type LoadedTable, loadPart } from "#api/db/transfer/load-tables.ts";
import type { TransferDatabase } from "#api/db/transfer/transfer-tables.ts";
import { archiveError } from "../archive/archive-error.ts";
import { entryPlace } from "../archive/entry-places.ts";
import type { OpenArchive } from "../archive/read-archive.ts";
import { orAltered } from "./or-altered.ts";
import { type RowSums, sumOfRows } from "./row-sums.ts";

/** How far a load has come; `step` is what is done once all rows are there. */
export type LoadProgress = { table: string; rows: number; readBytes: number; step: string | null };

export type LoadInput = {
  target: TransferDatabase;
  archive: OpenArchive;
  /** Whether all of it is part of one transaction. */
  isInTransaction: boolean;
  onProgress: (progress: LoadProgress) => void;
};

/** What came out of an archive. `key` is the installation's, if it was in there; `sums` tell rows apart. */
export type Loaded = {
  tables: LoadedTable[];
  rows: number;
  objects: number;
  readBytes: number;
  key: string | null;
  sums: RowSums;
};

const partBytes = 1024 * 1024;

/**
 * Makes the target what the archive holds, in the place of whatever the product kept there: tables in the shape of the
 * backup, all rows, the contents of objects. Throws `ArchiveError` and `TransferError`; the target is of no use then.
 */
export const loadArchive = (input: LoadInput): Promise<Loaded> => orAltered(() => load(input));

const load = async ({ target, archive, isInTransaction, onProgress }: LoadInput): Promise<Loaded> => {
  const { manifest } = archive;
  const rebuild = async (db: DatabasePool): Promise<void> => {
    await db.transaction((tx) => removeSchema(tx));
    await applyMigrations(db, { through: manifest.migrations.at(-1) ?? null });
  };
  if (!(await isNewInShape(target, manifest))) await target.exclusively(rebuild);
  const underWay = await beginLoad(target, {
    how: "Run the same `atrium restore` once more",
    tables: manifest.tables,
  });
  const expected: Record<string, number> = {};
  const loaded: Loaded = { tables: [], rows: 0, objects: 0, readBytes: 0, key: null, sums: {} };
  const copies: string[] = [];
  for await (const { name, bytes } of archive.entries) {
    loaded.readBytes += bytes.byteLength;
    const place = entryPlace(name);
    if (place?.kind === "key") loaded.key = new TextDecoder().decode(bytes).trim();
    else if (place?.kind === "object") {
      copies.push(place.version);
      expected.stored_object_parts =
        (expected.stored_object_parts ?? 0) + (await writeCopy(target, place.version, bytes));
    } else if (place?.kind !== "part") throw archiveError("altered");
    else {
      const { rows, sum } = sumOfRows(bytes);
      await loadPart(target, underWay, { ...place, rows, bytes });
      expected[place.table] = (expected[place.table] ?? 0) + rows;
      loaded.sums[place.table] = (loaded.sums[place.table] ?? 0n) + sum;
      loaded.rows += manifest.tables.includes(place.table) ? rows : 0;
      onProgress({ table: place.table, rows: loaded.rows, readBytes: loaded.readBytes, step: null });
    }
  }
  const { tables } = await finishLoad(target, underWay, {
    expected,
    isInTransaction,
    onStep: (step) => onProgress({ table: "", rows: loaded.rows, readBytes: loaded.readBytes, step }),
  });
  await bringHome(target, copies);
  return { ...loaded, tables, objects: copies.length };
};

/** Whether it is a database made for this, which came in the shape of the backup: to build that anew takes a second or two. */
const isNewInShape = async (
  { db, kind }: TransferDatabase,
  { migrations }: OpenArchive["manifest"],
): Promise<boolean> => {
  if (kind !== "embedded") return false;
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
