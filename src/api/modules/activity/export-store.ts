import { type SQL, sql } from "drizzle-orm";
import { csvCell } from "#api/core/csv.ts";
import type { Database } from "#api/core/database.ts";
import type { Activity } from "./contract.ts";
import { type ActivityKind, idList, kindsOfRows, type Selection } from "./selection-store.ts";

/** The columns of an exported file, in order. */
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
  if (selection.isWhole)
    return Array.from({ length: Math.min(limit, through - above) }, (_, at) => through - at);
  // Where the wanted rows would be if they were evenly spread; further back if they are not.
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
 * The activities with these numbers, newest first, as records of `exportColumns`. They are read as one text, since
 * reading thousands of rows with this many columns costs several times as much: the database joins the columns that
 * can't contain a separator, and the kinds' names are added here. `null` if a text contains a separator.
 */
export const selectRecords = async (db: Database, ids: readonly number[]): Promise<string | null> => {
  const [row] = await db.execute<{ text: string | null }>(sql`
    select string_agg(concat_ws(${cellEnd}, ${sql.join(parts, sql`, `)}), ${recordEnd}) as text from (
      select * from activities where ${isOneOf(ids)} order by activities.id desc
    ) newest`);
  const rows = row?.text?.split("\u001e").map(readParts) ?? [];
  if (rows.length > ids.length || rows.some(({ cells }) => cells.length !== parts.length)) return null;
  const kinds = await kindsOfRows(db, rows);
  return rows.map((parts) => recordOf(parts, kinds)).join("");
};

// The log's writer removes control characters.
const cellEnd = sql.raw(`E'\\x1f'`);
const recordEnd = sql.raw(`E'\\x1e'`);

const orEmpty = (column: string): SQL => sql.raw(`coalesce(${column}::text, '')`);

const parts = [
  sql`kind_id`,
  sql`id`,
  sql`occurred_at at time zone 'UTC'`,
  sql`action`,
  sql`description`,
  orEmpty("user_id"),
  orEmpty("user_email"),
  sql`concat(duration_ms, ',', occurrences)`,
  orEmpty("request_id"),
  orEmpty("ip"),
  orEmpty("user_agent"),
  orEmpty("changes"),
];

type RecordParts = { kindId: number; cells: string[] };

const readParts = (text: string): RecordParts => {
  const cells = text.split("\u001f");
  return { kindId: Number(cells[0]), cells };
};

const recordOf = ({ kindId, cells }: RecordParts, kinds: ReadonlyMap<number, ActivityKind>): string => {
  const kind = kinds.get(kindId);
  if (kind === undefined) throw new Error(`an activity is of the unknown kind ${kindId}`);
  const { before, after } = namesOf(kind);
  const [, id, time = "", action = "", description = "", userId, email = "", counts, ...rest] = cells;
  const [requestId = "", ip = "", userAgent = "", changes = ""] = rest;
  const texts = `${csvCell(requestId)},${csvCell(ip)},${csvCell(userAgent)},${csvCell(changes)}`;
  const head = `${id},${asIso(time)},${before}`;
  return `${head},${csvCell(action)},${csvCell(description)},${after},${userId},${csvCell(email)},${counts},${texts}\r\n`;
};

/** A time in UTC as `Date` writes it. PostgreSQL omits trailing zeros; only then it is parsed. */
const asIso = (time: string): string =>
  time.length === wholeTime.length && time[4] === wholeTime[4]
    ? `${time.slice(0, 10)}T${time.slice(11)}Z`
    : new Date(`${time}Z`).toISOString();

const wholeTime = "2000-01-01 00:00:00.001";

/** The cells of a kind, ready for a record: those before the texts and those after. */
const namesOf = (kind: ActivityKind): KindCells => {
  const known = kindCells.get(kind);
  if (known !== undefined) return known;
  const made = {
    before: [kind.pluginName, kind.type].map(csvCell).join(","),
    after: [kind.status, kind.severity, kind.actorKind].map(csvCell).join(","),
  };
  kindCells.set(kind, made);
  return made;
};

type KindCells = { before: string; after: string };

// Each kind is one object while it is known.
const kindCells = new WeakMap<ActivityKind, KindCells>();

// If at least one of this many numbers is wanted, reading all is faster than looking each up.
const denseStep = 3;

/**
 * A range if the numbers are consecutive, or nearly: it is read faster. `+ 0` keeps the planner from looking each up.
 */
const isOneOf = (ids: readonly number[]): SQL => {
  const [newest = 0, oldest = newest] = [ids[0], ids.at(-1)];
  const range = sql`activities.id >= ${oldest} and activities.id <= ${newest}`;
  const rows = newest - oldest + 1;
  if (rows === ids.length) return range;
  const list = sql`any(${idList(ids)}::bigint[])`;
  return rows <= denseStep * ids.length
    ? sql`${range} and activities.id + 0 = ${list}`
    : sql`activities.id = ${list}`;
};
