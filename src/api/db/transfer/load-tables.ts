import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { sqlStateOf } from "../errors.ts";
import { versionStampKey } from "../migrate.ts";
import { removeOwn } from "../rebuild-schema.ts";
import { ownedSequences, type SequenceState } from "./dump-tables.ts";
import { TransferError, UnfitPartError } from "./moved-note.ts";
import {
  holdNote,
  idOf,
  isCarried,
  isOwnTable,
  list,
  nameInCatalog,
  noteKey,
  readUnfinishedLoad,
  removeNote,
  sequencesPart,
  type TablePart,
  type TransferDatabase,
  type TransferTable,
  tableNamed,
  transferTables,
  writeNote,
} from "./transfer-tables.ts";

/** A load under way. */
export type Load = { id: string; tables: TransferTable[] };

/**
 * Begins a load into a migrated database without data. From then on a note in it keeps every server from starting, until
 * `finishLoad` takes it away; `how` tells the operator what to do when it never comes to that. What a broken-off load left
 * is removed first. `tables` are those of an older version, in whose shape the database is. Throws `TransferError` when there is data, and touches nothing then.
 */
export const beginLoad = async (
  target: TransferDatabase,
  { how, tables: names }: { how: string; tables?: readonly string[] },
): Promise<Load> =>
  target.exclusively((pool) =>
    pool.transaction(async (tx) => {
      const tables = await transferTables(tx, names);
      const broken = await readUnfinishedLoad(tx);
      // What is in own features' tables of a database without users was put there by their migrations.
      const product = tables.filter(({ name }) => !isOwnTable(name));
      if (broken === null && !(await isEmptyTarget(tx, product)))
        throw new TransferError(
          "The target already contains data; nothing was changed. Use an empty database",
        );
      await clearTables(tx, tables);
      const indexes = [...(broken?.indexes ?? []), ...(await dropSecondaryIndexes(tx, tables))];
      const note = { id: crypto.randomUUID(), startedAt: new Date().toISOString(), how, indexes };
      await writeNote(tx, note);
      return { id: note.id, tables };
    }),
  );

/** Whether a migrated database holds nothing but what its migrations put there. */
export const isEmptyTarget = async (tx: Database, tables: readonly TransferTable[]): Promise<boolean> => {
  for (const { name } of tables) {
    const rows = await tx.execute(
      sql`select from ${tableNamed(name)} where not (${isSeedRow(name)}) limit 1`,
    );
    if (rows.length > 0) return false;
  }
  return true;
};

/**
 * Writes a part's rows as they are, in one transaction, within a load that {@link Load} stands for. Parts of a table may come in
 * any order, tables only behind those that they refer to. Throws when another load was begun meanwhile, and
 * `UnfitPartError` for what its table does not take.
 */
export const loadPart = async ({ db }: TransferDatabase, load: Load, part: TablePart): Promise<void> => {
  await db.transaction(async (tx) => {
    if (!(await holdNote(tx, load.id)))
      throw new TransferError(
        "Another process started loading data into this database; this load has stopped",
      );
    if (part.rows === 0) return;
    if (part.table === sequencesPart) return fitting(part, () => loadSequences(tx, load.tables, part));
    const table = load.tables.find(({ name }) => name === part.table);
    if (table === undefined)
      throw new UnfitPartError(
        `This version has no table ${part.table}: the data comes from another version`,
      );
    await withoutTriggers(tx, { table: table.name, event: "insert" }, () =>
      fitting(part, () => insertRows(tx, table, part)),
    );
  });
};

/** What the database refuses about the data itself says with its whole statement no more than that. */
const fitting = async (part: TablePart, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (cause) {
    const isUnfit = cause instanceof SyntaxError || unfitStates.test(sqlStateOf(cause) ?? "");
    throw isUnfit ? new UnfitPartError(`A part of ${part.table} does not fit the table`, { cause }) : cause;
  }
};

// Data exceptions, violated constraints, rows in conflict within one statement, and what is nested too deep.
const unfitStates = /^(?:21|22|23|54)/;

const insertRows = async (tx: Database, table: TransferTable, { bytes, rows }: TablePart): Promise<void> => {
  const lines = new TextDecoder().decode(bytes);
  const columns = columnsOf(table, lines);
  const names = list(columns.map(({ name }) => sql.identifier(name)));
  const values = list(
    columns.map(({ name, isJson, type }) =>
      isJson ? sql`${sql.identifier(name)}::${sql.raw(type)}` : sql`${sql.identifier(name)}`,
    ),
  );
  const shape = list(
    columns.map(({ name, isJson, type }) => sql`${sql.identifier(name)} ${sql.raw(isJson ? "text" : type)}`),
  );
  const inserted = await tx.execute(sql`
    insert into ${tableNamed(table.name)} (${names}) overriding system value
    select ${values} from json_to_recordset(${`[${lines.replaceAll("\n", ",")}]`}::text::json) as line (${shape})`);
  if (inserted.count !== rows)
    throw new UnfitPartError(`A part of ${table.name} should have ${rows} rows and has ${inserted.count}`);
};

/** The columns that the rows bring: an older version's may lack some, which then get their default. */
const columnsOf = (table: TransferTable, lines: string): TransferTable["columns"] => {
  const given = Object.keys(Object(JSON.parse(lines.slice(0, lines.search(/\n|$/)))));
  const strange = given.find((name) => !table.columns.some((column) => column.name === name));
  if (strange !== undefined)
    throw new UnfitPartError(
      `This version's table ${table.name} has no column ${strange}: the data comes from another version`,
    );
  return table.columns.filter(({ name }) => given.includes(name));
};

const loadSequences = async (
  tx: Database,
  tables: readonly TransferTable[],
  part: TablePart,
): Promise<void> => {
  const owned = await ownedSequences(tx, tables);
  for (const line of new TextDecoder().decode(part.bytes).split("\n")) {
    const { table, column, last } = sequenceState(line);
    const found = owned.find((one) => one.name === table && one.column === column);
    if (found && last !== null) await setSequence(tx, found.sequence, last, part);
  }
};

/** What comes so close to its end that soon no row could be added was never counted. */
const setSequence = async (tx: Database, sequence: string, last: string, part: TablePart): Promise<void> => {
  const set = await tx.execute(sql`
    select setval(seqrelid::regclass, ${last}::text::bigint) from pg_sequence
    where seqrelid = ${sequence}::text::regclass and ${last}::text::bigint <= seqmax / 2`);
  if (set.length === 0) throw new UnfitPartError(`A part of ${part.table} does not fit the table`);
};

const sequenceState = (line: string): SequenceState => {
  const { table, column, last } = { table: "", column: "", last: null, ...Object(JSON.parse(line)) };
  return { table: String(table), column: String(column), last: last === null ? null : String(last) };
};

/** What arrived of a table. */
export type LoadedTable = { table: string; rows: number };

/** What a finished load brought, in the order in which it came. */
type LoadReport = { tables: LoadedTable[]; rows: number };

/** What finishing needs to know. */
export type FinishInput = {
  /** How many rows the source had of each table: the sums of what its parts said. Tables without a part had none. */
  expected: Readonly<Record<string, number>>;
  /** Tried last, before the data counts as an installation: what it throws leaves the load unfinished. */
  prove?: () => Promise<void>;
  /** Whether all of it happens in a transaction of the caller's, in which nothing can be vacuumed. */
  isInTransaction?: boolean;
  /** Hears of each step, before it is done. */
  onStep?: (step: string) => void;
};

/**
 * Makes a whole installation of what was loaded: indexes, statistics, a count of every table, and only then the note goes
 * that keeps servers from starting. Throws `TransferError` when rows are missing; it may be called again then.
 */
export const finishLoad = async (
  target: TransferDatabase,
  load: Load,
  { expected, prove = async () => {}, isInTransaction = false, onStep = () => {} }: FinishInput,
): Promise<LoadReport> => {
  const note = await readUnfinishedLoad(target.db);
  if (note?.id !== load.id)
    throw new TransferError("Another process started loading data into this database; this load has stopped");
  const tables = await target.exclusively(async (db) => {
    onStep("counting rows");
    const counted = await countRows(db, load);
    refuseOtherCounts(counted, expected);
    // In a cluster of its own this number means another transaction.
    await db.transaction(async (tx) => forgetTransaction(tx));
    if (target.kind === "postgres") await db.execute(sql`set maintenance_work_mem = '256MB'`);
    await restoreIndexes(db, note.indexes, (name) => onStep(`building the index ${name}`));
    onStep("gathering statistics");
    const gather = sql.raw(isInTransaction ? "analyze" : "vacuum (analyze)");
    for (const { name } of load.tables) await db.execute(sql`${gather} ${tableNamed(name)}`);
    return counted;
  });
  await prove();
  await target.db.transaction(async (tx) => {
    if (!(await holdNote(tx, load.id)))
      throw new TransferError("Another process started loading data into this database");
    await removeNote(tx);
  });
  return { tables, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
};

const countRows = async (db: Database, { tables }: Load): Promise<LoadedTable[]> => {
  const counted: LoadedTable[] = [];
  for (const { name } of tables) {
    const isData = name === "installation" ? sql`key <> ${noteKey}` : sql`true`;
    const [row] = await db.execute<{ rows: number }>(
      sql`select count(*)::float8 as rows from ${tableNamed(name)} where ${isData}`,
    );
    counted.push({ table: name, rows: row?.rows ?? 0 });
  }
  return counted;
};

const refuseOtherCounts = (counted: LoadedTable[], expected: FinishInput["expected"]): void => {
  const wrong = counted.filter(({ table, rows }) => rows !== (expected[table] ?? 0));
  if (wrong.length === 0) return;
  const words = wrong.map(
    ({ table, rows }) => `${table} has ${rows} rows instead of ${expected[table] ?? 0}`,
  );
  throw new TransferError(`Not everything arrived: ${words.join(", ")}`);
};

/** The log notes which transaction appended last. In another cluster that number is, or will be, another transaction's. */
const forgetTransaction = (tx: Database): Promise<void> =>
  withoutTriggers(tx, { table: "activity_chain", event: "update" }, async () => {
    await tx.execute(sql`update activity_chain set head_xid = null`);
  });

/**
 * Gives a load up: the target is afterwards as it was before, migrated and without data. Resolves to `false`, and does
 * nothing, when another load was begun meanwhile or this one is finished.
 */
export const abandonLoad = (target: TransferDatabase, load: Load): Promise<boolean> =>
  target.exclusively((pool) =>
    pool.transaction(async (tx) => {
      const note = await readUnfinishedLoad(tx);
      if (note?.id !== load.id) return false;
      await clearTables(tx, load.tables);
      await restoreIndexes(tx, note.indexes);
      await insertSeedRows(tx);
      // Their next start makes them again, with what their migrations put there.
      await removeOwn(tx);
      await removeNote(tx);
      return true;
    }),
  );

/** Empties all tables together, because some refer to others, and restarts sequences. Not for an installation. */
const clearTables = async (tx: Database, tables: readonly TransferTable[]): Promise<void> => {
  const names = list(tables.map(({ name }) => tableNamed(name)));
  let work = async (): Promise<void> => void (await tx.execute(sql`truncate ${names} restart identity`));
  for (const { name } of tables) {
    const inner = work;
    work = () => withoutTriggers(tx, { table: name, event: "truncate" }, inner);
  }
  await work();
};

/**
 * Drops the indexes that only make reading fast: to build them over all rows at the end takes a fraction of the time that
 * keeping them up takes. Resolves to the statements that make them again.
 */
export const dropSecondaryIndexes = async (
  tx: Database,
  tables: readonly TransferTable[],
): Promise<string[]> => {
  const rows = await tx.execute<{ table: string; name: string; statement: string }>(sql`
    select ${nameInCatalog("t", "n")} as "table", format('%I.%I', n.nspname, c.relname) as name, pg_get_indexdef(i.indexrelid) as statement
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    where ${isCarried("n")} and not i.indisunique and not i.indisprimary
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by c.relname`);
  const ours = rows.filter(({ table }) => tables.some(({ name }) => name === table));
  for (const { name } of ours) await tx.execute(sql`drop index ${sql.raw(name)}`);
  return ours.map(({ statement }) => statement);
};

/** Makes those indexes again that are not there; `onStep` hears the name of each before it is made. */
export const restoreIndexes = async (
  db: Database,
  statements: readonly string[],
  onStep: (name: string) => void = () => {},
): Promise<void> => {
  for (const statement of statements) {
    onStep(/^CREATE INDEX (\S+)/.exec(statement)?.[1] ?? "");
    await db.execute(sql.raw(statement.replace(/^CREATE INDEX /, "CREATE INDEX IF NOT EXISTS ")));
  }
};

/** What is true of a table's rows in a database that was migrated and never used; nothing is of any other row. */
const isSeedRow = (table: string): SQL => {
  if (table === "activity_chain") return sql`id = 1 and head_id = 0 and anchor_id = 0 and seal is null`;
  // Which program migrated it.
  return table === "installation" ? sql`key = ${versionStampKey}` : sql`false`;
};

/** Puts back what the migrations put there, into empty tables. */
const insertSeedRows = async (tx: Database): Promise<void> => {
  await tx.execute(sql`
    insert into activity_chain (id, head_id, head_hash, head_at, anchor_id, anchor_hash)
    values (1, 0, decode(repeat('00', 32), 'hex'), to_timestamp(0), 0, decode(repeat('00', 32), 'hex'))`);
};

/** A table, and what is done to it. */
type GuardedChange = { table: string; event: "insert" | "update" | "truncate" };

/**
 * Runs `work` while the product's triggers on a change of a table are disabled. The table's owner may do that, unlike
 * `session_replication_role`, which hosted servers don't grant. It is part of the transaction: no one else ever sees
 * the table without its triggers, and each trigger is restored.
 */
export const withoutTriggers = async (
  tx: Database,
  change: GuardedChange,
  work: () => Promise<void>,
): Promise<void> => {
  const table = tableNamed(change.table);
  const triggers = await tx.execute<{ name: string; state: string }>(sql`
    select tgname as name, tgenabled as state from pg_trigger
    where tgrelid = ${idOf(change.table)} and not tgisinternal and tgenabled <> 'D'
      and (tgtype & ${bits[change.event]}::int) <> 0`);
  for (const { name } of triggers)
    await tx.execute(sql`alter table ${table} disable trigger ${sql.identifier(name)}`);
  await work();
  for (const { name, state } of triggers)
    await tx.execute(
      sql`alter table ${table} enable ${sql.raw(words[state] ?? "")} trigger ${sql.identifier(name)}`,
    );
};

// Of pg_trigger.tgtype.
const bits = { insert: 4, update: 16, truncate: 32 } as const;

const words: Record<string, string> = { A: "always", R: "replica" };
