import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/db/database.ts";
import type { Activity } from "#contract/activity.ts";
import { idList, isWhole, type Selection } from "./selection-store.ts";

/** The columns of an exported file, in its order. */
export const exportColumns = [
  "id",
  "timestamp",
  "pluginName",
  "type",
  "action",
  "description",
  "status",
  "severity",
  "actorKind",
  "userId",
  "userEmail",
  "duration",
  "occurrences",
  "requestId",
  "ip",
  "userAgent",
  "changes",
] as const satisfies readonly (keyof Activity)[];

/** The numbers of the newest `limit` activities of a selection, newest first. */
export const selectIds = async (db: Database, selection: Selection, limit: number): Promise<number[]> => {
  const { above, through, kinds, total } = selection;
  if (kinds.length === 0) return [];
  // Numbers have no gaps.
  if (isWhole(selection))
    return Array.from({ length: Math.min(limit, through - above) }, (_, at) => through - at);
  // Where the wanted rows should be if they stood evenly; further back where they do not.
  for (let rows = (2 * limit * (through - above)) / total; ; rows *= 8) {
    const lowest = Math.max(above, through - Math.ceil(rows));
    const ids = await selectIdsWithin(db, { ...selection, above: lowest }, limit);
    if (ids.length === limit || lowest === above) return ids;
  }
};

const selectIdsWithin = async (
  db: Database,
  { above, through, kinds }: Selection,
  limit: number,
): Promise<number[]> => {
  const [row] = await db.execute<{ ids: string | null }>(sql`
    select string_agg(id::text, ',' order by id desc) as ids from (
      select newest.id from unnest(${idList(kinds.map(({ kind }) => kind.id))}::int[]) k cross join lateral (
        select id from activities where kind_id = k and id > ${above} and id <= ${through} order by id desc limit ${limit}
      ) newest order by newest.id desc limit ${limit}
    ) found`);
  return row?.ids?.split(",").map(Number) ?? [];
};

/**
 * The activities of these numbers, which stand newest first, as the cells of `exportColumns`; nothing is an empty cell.
 * They come as one text: to read thousands of rows of so many columns costs several times as much.
 */
export const selectCells = async (db: Database, ids: readonly number[]): Promise<string[][]> => {
  const [row] = await db.execute<{ text: string | null }>(sql`
    select string_agg(concat_ws(${cellEnd}, ${sql.join(cells, sql`, `)}), ${recordEnd} order by activities.id desc) as text
    from activities join activity_kinds on activity_kinds.id = kind_id where ${isOneOf(ids)}`);
  return row?.text?.split("\u001e").map((record) => record.split("\u001f")) ?? [];
};

// The log's writer lets no control characters in. A row that brought some nevertheless would be cut at the wrong places,
// and its cells be as harmless as any.
const cellEnd = sql.raw(`E'\\x1f'`);
const recordEnd = sql.raw(`E'\\x1e'`);

const orEmpty = (column: string): SQL => sql.raw(`coalesce(${column}::text, '')`);

const cellOf: Record<(typeof exportColumns)[number], SQL> = {
  id: sql`activities.id`,
  // As `Date` writes it.
  timestamp: sql`to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  pluginName: sql`plugin_name`,
  type: sql`type`,
  action: sql`action`,
  description: sql`description`,
  status: sql`status`,
  severity: sql`severity`,
  actorKind: sql`actor_kind`,
  userId: orEmpty("user_id"),
  userEmail: orEmpty("user_email"),
  duration: orEmpty("duration_ms"),
  occurrences: sql`occurrences`,
  requestId: orEmpty("request_id"),
  ip: orEmpty("ip"),
  userAgent: orEmpty("user_agent"),
  changes: orEmpty("changes"),
};
const cells = exportColumns.map((name) => cellOf[name]);

/** A range where the numbers are one: it is read faster. */
const isOneOf = (ids: readonly number[]): SQL => {
  const [newest = 0, oldest = newest] = [ids[0], ids.at(-1)];
  return newest - oldest + 1 === ids.length
    ? sql`activities.id >= ${oldest} and activities.id <= ${newest}`
    : sql`activities.id = any(${idList(ids)}::bigint[])`;
};
