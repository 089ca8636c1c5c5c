import { getTableColumns, getTableName, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, type PgTable, pgSchema } from "drizzle-orm/pg-core";
import type { Database } from "#api/core/database.ts";
import { type FeatureFields, textFieldsOf } from "#contract/define-feature.ts";
import { ownSchema } from "./migration-journal.ts";
import { users } from "./schema.ts";

/** The schema of PostgreSQL that the tables of own features are in: backups and moves carry them. */
export const appSchema = pgSchema(ownSchema);

const declared: PgTable[] = [];
const { table } = appSchema;
appSchema.table = ((...given: Parameters<typeof table>) => {
  const made = table(...given);
  declared.push(made);
  return made;
}) as typeof table;

/** The tables of the loaded features so far, in the order in which they were declared. */
export const declaredTables = (): readonly PgTable[] => [...declared];

/**
 * What a table of a feature lacks that refers to users: what becomes of its rows with an account, and, unless `hasPersonal`, that they
 * are in the file of the account. `null` for one that lacks nothing.
 */
export const personalComplaint = (one: PgTable, { hasPersonal }: { hasPersonal: boolean }): string | null => {
  const ofUsers = getTableConfig(one).foreignKeys.filter((key) => key.reference().foreignTable === users);
  if (ofUsers.length === 0) return null;
  const name = `${ownSchema}.${getTableName(one)}`;
  if (ofUsers.some(({ onDelete }) => onDelete === "no action"))
    return `its table ${name} refers to users and does not say what happens to its rows when an account is deleted. Write .references(() => users.id, { onDelete: "cascade" }), or "set null"`;
  return hasPersonal
    ? null
    : `its table ${name} refers to users, whose file of their own data lacks it. Write "personal" in server.ts: { export: (db, userId) => … }, or "none" if nothing in it is about them`;
};

/** The first table, or column, of the loaded features that a migrated database lacks: `app.notes`, `app.notes.due`; or `null`. */
export const findUnmigrated = async (db: Database): Promise<string | null> => {
  if (declared.length === 0) return null;
  const rows = await db.execute<{ at: string }>(sql`
    select table_name as at from information_schema.tables where table_schema = ${ownSchema}
    union select table_name || '.' || column_name from information_schema.columns where table_schema = ${ownSchema}`);
  const there = new Set(rows.map(({ at }) => at));
  const wanted = declared.flatMap((one) => {
    const name = getTableName(one);
    return [name, ...Object.values(getTableColumns(one)).map((column) => `${name}.${column.name}`)];
  });
  const lacking = wanted.find((name) => !there.has(name));
  return lacking === undefined ? null : `${ownSchema}.${lacking}`;
};

/** The columns of a table that hold the texts of fields, in which a search looks. */
export const textColumns = (table: PgTable, fields: FeatureFields): PgColumn[] => {
  const columns = getTableColumns(table);
  return textFieldsOf(fields).flatMap((name) => columns[name] ?? []);
};
