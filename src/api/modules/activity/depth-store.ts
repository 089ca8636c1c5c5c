import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { idList, type Selection } from "./selection-store.ts";

/** Where a place far down in a selection is: that many rows below the newest of a narrower one. */
export type Depth = { selection: Selection; offset: number };

type DepthRow = { above: number | null; through: number; skipped: number };

/**
 * Finds the days in which the rows from `offset` on stand by their counts, so that only those days' rows are looked at.
 * `null` where the selection ends before.
 */
export const findDepth = async (
  db: Database,
  selection: Selection,
  { offset, limit }: { offset: number; limit: number },
): Promise<Depth | null> => {
  const { above, through, kinds } = selection;
  const ids = idList(kinds.map(({ kind }) => kind.id));
  const [row] = await db.execute<DepthRow>(sql`
    with newest as materialized (
      select day, activity_first_at(day::timestamp at time zone 'UTC') as first from (
        select (occurred_at at time zone 'UTC')::date as day from activities where id = ${through}
      ) dated
    ), counted as (
      select day, (select sum(n) from unnest(${ids}::int[]) k cross join lateral (
        select count(*) as n from activities where kind_id = k and id >= first and id <= ${through}
      ) counted) as rows from newest
      union all
      select day, sum(rows) from activity_days
      where kind_id = any(${ids}::int[]) and day < (select day from newest) group by day
    ), run as (
      select day, rows, sum(rows) over (order by day desc) as reached from counted
    )
    select (reached - rows)::float8 as skipped,
      least(${through}::bigint, activity_first_at((day + 1)::timestamp at time zone 'UTC') - 1)::float8 as through,
      (select activity_first_at(last.day::timestamp at time zone 'UTC') - 1 from run last
        where last.reached >= ${offset + limit}::bigint order by last.day desc limit 1)::float8 as above
    from run where reached > ${offset}::bigint order by day desc limit 1`);
  if (row === undefined) return null;
  return {
    selection: { ...selection, through: row.through, above: Math.max(above, row.above ?? above) },
    offset: offset - row.skipped,
  };
};
