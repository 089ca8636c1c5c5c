import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import * as schema from "#api/db/schema.ts";

/** Everything that the database holds, as comparable text: equal before and after means that nothing changed. */
export const contentsOf = async (db: Database): Promise<string[]> => {
  const rows: string[] = [];
  const filled = new Set((await db.execute<{ name: string }>(filledTables)).map(({ name }) => name));
  for (const [name, table] of Object.entries(schema)) {
    if (!filled.has(name)) continue;
    for (const row of await db.select().from(table)) rows.push(`${name} ${JSON.stringify(row)}`);
  }
  return rows.sort();
};

/** Most tables are empty in most tests: one query tells which are, where reading each takes longer than all the rest. */
const filledTables = sql.join(
  Object.entries(schema).map(
    ([name, table]) => sql`select ${sql.raw(`'${name}'`)} as name where exists (select from ${table})`,
  ),
  sql` union all `,
);

/** The same without the wrong passwords in a row, which a refused one leaves behind. */
export const withoutTries = (contents: string[]): string[] =>
  contents.filter((row) => !row.startsWith("signInFailures "));

/** The same without the activity log, which outlives what it tells of. */
export const withoutLog = (contents: string[]): string[] =>
  contents.filter((row) => !row.startsWith("activit"));
