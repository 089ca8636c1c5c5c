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
