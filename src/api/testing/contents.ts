import type { Database } from "#api/db/database.ts";
import * as schema from "#api/db/schema.ts";

/** Everything that the database holds, as comparable text: equal before and after means that nothing changed. */
export const contentsOf = async (db: Database): Promise<string[]> => {
  const rows: string[] = [];
  for (const [name, table] of Object.entries(schema)) {
    for (const row of await db.select().from(table)) rows.push(`${name} ${JSON.stringify(row)}`);
  }
  return rows.sort();
};

/** The same without the wrong passwords in a row, which a refused one leaves behind. */
export const withoutTries = (contents: string[]): string[] =>
  contents.filter((row) => !row.startsWith("signInFailures "));

/** The same without the activity log, which outlives what it tells of. */
export const withoutLog = (contents: string[]): string[] =>
  contents.filter((row) => !row.startsWith("activit"));
