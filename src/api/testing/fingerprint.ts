import { getTableName, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import * as schema from "#api/db/schema.ts";

/**
 * What each table holds, as its name, the number of its rows and a hash of all that is in them: equal before and after
 * means that nothing changed. For many comparisons where `contentsOf` would read a growing log again and again.
 */
export const fingerprintOf = async (db: Database): Promise<string[]> => {
  const rows = await db.execute<{ held: string }>(query);
  return rows.map(({ held }) => held);
};

const query = sql.join(
  Object.values(schema).map((table) => {
    const name = getTableName(table);
    return sql`
      select ${sql.raw(`'${name}'`)} || ' ' || count(*) || ' ' || md5(coalesce(string_agg(row_text, '' order by row_text), ''))
        as held
      from (select t::text as row_text from ${table} t) all_rows`;
  }),
  sql` union all `,
);
