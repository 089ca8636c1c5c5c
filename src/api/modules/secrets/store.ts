import { type SQL, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { keyOfKeyCheck, resealKeyCheck } from "#api/db/key-check.ts";
import type { KeyCounts } from "#api/modules/activity/index.ts";

/** A column whose values are sealed one by one, with the column that names the rows. */
export type SealedColumn = { table: string; column: string; key: string; keyType: "text" | "uuid" };

/** A sealed value in its row. */
export type SealedRow = { id: string; sealed: Uint8Array };

/** How many values of a column lie under which key. */
export const countKeys = async (
  db: Database,
  { table, column }: Pick<SealedColumn, "table" | "column">,
  box: Pick<SecretBox, "keyOf">,
): Promise<KeyCounts> => {
  const [from, sealed] = [sql.identifier(table), sql.identifier(column)];
  const rows = await db.execute<{ head: string; rows: number }>(sql`
    select encode(substring(${sealed} from 1 for 5), 'hex') as head, count(*)::int as rows
    from ${from} where ${sealed} is not null group by 1`);
  const counts: KeyCounts = { current: 0, previous: 0, unknown: 0 };
  for (const { head, rows: found } of rows) counts[box.keyOf(Uint8Array.fromHex(head))] += found;
  return counts;
};

/** The next sealed values behind a row, in the order of their rows; `null` begins. */
export const selectSealed = async (
  db: Database,
  { table, column, key, keyType }: SealedColumn,
  { after, limit }: { after: string | null; limit: number },
): Promise<SealedRow[]> => {
  const [from, sealed, id] = [sql.identifier(table), sql.identifier(column), sql.identifier(key)];
  const behind = after === null ? sql`true` : sql`${id} > ${after}::${types[keyType]}`;
  const rows = await db.execute<SealedRow>(sql`
    select ${id}::text as id, ${sealed} as sealed from ${from}
    where ${sealed} is not null and ${behind} order by ${from}.${id} limit ${limit}`);
  return rows.map((row) => ({ id: row.id, sealed: new Uint8Array(row.sealed) }));
};

/** The value as it is now; `null` when it or its row is gone. */
export const findSealed = async (
  db: Database,
  { table, column, key, keyType }: SealedColumn,
  id: string,
): Promise<Uint8Array | null> => {
  const [row] = await db.execute<{ sealed: Uint8Array | null }>(sql`
    select ${sql.identifier(column)} as sealed from ${sql.identifier(table)}
    where ${sql.identifier(key)} = ${id}::${types[keyType]}`);
  return row?.sealed ? new Uint8Array(row.sealed) : null;
};

/** Puts a value in the place of another; `false`, and nothing done, when that is not there any more. */
export const replaceSealed = async (
  db: Database,
  { table, column, key, keyType }: SealedColumn,
  { id, was, is }: { id: string; was: Uint8Array; is: Uint8Array },
): Promise<boolean> => {
  const sealed = sql.identifier(column);
  const rows = await db.execute(sql`
    update ${sql.identifier(table)} set ${sealed} = decode(${is.toHex()}, 'hex')
    where ${sql.identifier(key)} = ${id}::${types[keyType]} and ${sealed} = decode(${was.toHex()}, 'hex')
    returning 1`);
  return rows.length > 0;
};

/** Under which key the note lies by which a start knows its key. */
export const countKeyCheck = async (db: Database, box: SecretBox): Promise<KeyCounts> => {
  const key = await keyOfKeyCheck(db, box);
  const counts: KeyCounts = { current: 0, previous: 0, unknown: 0 };
  return key === null ? counts : { ...counts, [key]: 1 };
};

/** Moves that note to the current key: see {@link resealKeyCheck}. */
export const moveKeyCheck = (tx: Database, box: SecretBox) => resealKeyCheck(tx, box);

const types: Record<SealedColumn["keyType"], SQL> = { text: sql`text`, uuid: sql`uuid` };
