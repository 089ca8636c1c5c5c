import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { sqlStateOf } from "../errors.ts";
import type { Load } from "./begin-load.ts";
import type { SequenceState } from "./dump-sequences.ts";
import { ownedSequences } from "./dump-sequences.ts";
import { TransferError, UnfitPartError } from "./errors.ts";
import { sequencesPart, type TablePart, type TransferDatabase } from "./parts.ts";
import type { TransferTable } from "./transfer-tables.ts";
import { holdNote } from "./unfinished-load.ts";
import { withoutTriggers } from "./without-triggers.ts";

/**
 * Writes a part's rows as they are, in one transaction, within a load that {@link Load} stands for. Parts of a table may come in
 * any order, tables only behind those that they refer to. Throws when another load was begun meanwhile, and
 * `UnfitPartError` for what its table does not take.
 */
export const loadPart = async ({ db }: TransferDatabase, load: Load, part: TablePart): Promise<void> => {
  await db.transaction(async (tx) => {
    if (!(await holdNote(tx, load.id)))
      throw new TransferError("Somebody else has begun to load data into this database; this load has ended");
    if (part.rows === 0) return;
    if (part.table === sequencesPart) return fitting(part, () => loadSequences(tx, load.tables, part));
    const table = load.tables.find(({ name }) => name === part.table);
    if (table === undefined)
      throw new UnfitPartError(`This version has no table ${part.table}: the data comes from another one`);
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
    throw isUnfit
      ? new UnfitPartError(`A part of ${part.table} is not what the table takes`, { cause })
      : cause;
  }
};

// Data exceptions, violated constraints, rows in conflict within one statement, and what is nested too deep.
const unfitStates = /^(?:21|22|23|54)/;

const insertRows = async (tx: Database, table: TransferTable, { bytes, rows }: TablePart): Promise<void> => {
  const lines = new TextDecoder().decode(bytes);
  const columns = columnsOf(table, lines);
  const names = sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  const values = sql.join(
    columns.map(({ name, isJson, type }) =>
      isJson ? sql`${sql.identifier(name)}::${sql.raw(type)}` : sql.identifier(name),
    ),
    sql`, `,
  );
  const shape = sql.join(
    columns.map(({ name, isJson, type }) => sql`${sql.identifier(name)} ${sql.raw(isJson ? "text" : type)}`),
    sql`, `,
  );
  const inserted = await tx.execute(sql`
    insert into ${sql.identifier(table.name)} (${names}) overriding system value
    select ${values} from json_to_recordset(${`[${lines.replaceAll("\n", ",")}]`}::text::json) as line (${shape})`);
  if (inserted.count !== rows)
    throw new UnfitPartError(`A part of ${table.name} should hold ${rows} rows and holds ${inserted.count}`);
};

/** The columns that the rows bring: an older version's may lack some, which then get their default. */
const columnsOf = (table: TransferTable, lines: string): TransferTable["columns"] => {
  const given = Object.keys(Object(JSON.parse(lines.slice(0, lines.search(/\n|$/)))));
  const strange = given.find((name) => !table.columns.some((column) => column.name === name));
  if (strange !== undefined)
    throw new UnfitPartError(
      `This version's table ${table.name} has no column ${strange}: the data comes from another one`,
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
  if (set.length === 0) throw new UnfitPartError(`A part of ${part.table} is not what the table takes`);
};

const sequenceState = (line: string): SequenceState => {
  const { table, column, last } = { table: "", column: "", last: null, ...Object(JSON.parse(line)) };
  return { table: String(table), column: String(column), last: last === null ? null : String(last) };
};
