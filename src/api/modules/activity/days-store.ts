import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { dayOf, idList } from "./selection-store.ts";

/** How many activities were recorded since a moment, in milliseconds since 1970. */
export const countSince = async (db: Database, sinceMs: number): Promise<number> => {
  const [row] = await db.execute<{ rows: number }>(sql`
    select (head_id + 1 - activity_first_at(to_timestamp(${sinceMs}::float8 / 1000)))::float8 as rows
    from activity_chain`);
  return row?.rows ?? 0;
};

/** What the rows of some kinds are counted as, by the kinds' ids; `null` counts every kind. */
export type CountedKinds = {
  all: readonly number[] | null;
  failures: readonly number[];
  securityEvents: readonly number[];
};

/** A day, in days since 1970, with its rows. */
export type CountedDay = { day: number; total: number; failures: number; securityEvents: number };

/** The days from one on, up to and with another, that have rows of the kinds. */
export const selectDays = (
  db: Database,
  { firstDay, lastDay, kinds }: { firstDay: number; lastDay: number; kinds: CountedKinds },
): Promise<CountedDay[]> => {
  const isOf = (ids: readonly number[]) => sql`kind_id = any(${idList(ids)}::int[])`;
  const sumOf = (ids: readonly number[]) => sql`coalesce(sum(rows) filter (where ${isOf(ids)}), 0)::float8`;
  return db.execute<CountedDay>(sql`
    select day - ${dayOf(0)} as day, sum(rows)::float8 as total, ${sumOf(kinds.failures)} as failures,
      ${sumOf(kinds.securityEvents)} as "securityEvents"
    from activity_days
    where day >= ${dayOf(firstDay)} and day <= ${dayOf(lastDay)} ${kinds.all === null ? sql`` : sql`and ${isOf(kinds.all)}`}
    group by day`);
};
