import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import {
  type ActivityFilter,
  type CountedSpan,
  type DaySpan,
  daySpan,
  isNamed,
  isRequestIdStart,
  type KindNames,
  matchesKind,
} from "./filter.ts";

/** A kind that matches a filter, with its number of rows in the filter's time range. */
type SelectedKind = {
  kind: ActivityKind;
  rows: number;
  /** Its newest row, in that range or later; infinite if unknown. */
  lastId: number;
};

/** What matches a filter, apart from its text: rows of these kinds above one number and up to another. */
export type Selection = {
  above: number;
  through: number;
  kinds: SelectedKind[];
  /** How many rows it had before it was narrowed, unless it contains every row of its range. */
  total: number;
  /** Whether it contains every row of its range, as each narrower one then does. */
  isWhole: boolean;
};

/** Finds and counts what matches a filter, apart from its text; `total` is exact. */
export const selectByFilter = async (db: Database, filter: ActivityFilter): Promise<Selection> => {
  const log = await readLog(db);
  if (filter.fromMs === null && filter.toMs === null) {
    return selectionOf(log, { ...ends(log), rows: (id) => log.kindCounts.get(id)?.rows ?? 0 }, filter);
  }
  return selectDated(db, log, filter);
};

/** The selection below a number; its kinds are not counted again. */
export const belowOf = (selection: Selection, before: number | null): Selection =>
  before === null ? selection : narrowed(selection, { through: before - 1 });

/** The part of a selection among the newest rows of its range, of any kind. */
export const newestOf = (selection: Selection, rows: number): Selection =>
  narrowed(selection, { above: selection.through - rows });

const narrowed = (selection: Selection, ends: Partial<Pick<Selection, "above" | "through">>): Selection => {
  const above = Math.max(selection.above, ends.above ?? 0);
  const through = Math.max(above, Math.min(selection.through, ends.through ?? selection.through));
  return { ...selection, above, through, total: selection.isWhole ? through - above : selection.total };
};

const ends = ({ anchorId, headId }: LogState) => ({ above: anchorId, through: headId });

type Counted = Pick<Selection, "above" | "through"> & { rows: (kindId: number) => number };

const selectionOf = (log: LogState, { above, through, rows }: Counted, filter: ActivityFilter): Selection => {
  const kinds: SelectedKind[] = [];
  let total = 0;
  for (const kind of log.kinds.values()) {
    const count = rows(kind.id);
    if (count === 0 || !matchesKind(filter, kind)) continue;
    total += count;
    // After the head that the counts were read with, there may be more.
    const lastId = through <= log.headId ? log.kindCounts.get(kind.id)?.lastId : undefined;
    kinds.push({ kind, rows: count, lastId: lastId ?? Number.POSITIVE_INFINITY });
  }
  return { above, through, kinds, total, isWhole: total === through - above };
};

const selectDated = async (db: Database, log: LogState, filter: ActivityFilter): Promise<Selection> => {
  const ids = [...log.kinds.values()].filter((kind) => matchesKind(filter, kind)).map(({ id }) => id);
  const { lastKindId, above, through, counts } = await countDated(db, filter, ids);
  // A kind that was added meanwhile is not counted yet, although the range contains its rows.
  if (lastKindId > log.lastKindId) return selectDated(db, await readLog(db), filter);
  const rows = new Map(counts?.split(",").map((pair) => pairOf(pair)));
  return selectionOf(log, { above, through, rows: (id) => rows.get(id) ?? 0 }, filter);
};

const pairOf = (text: string): [number, number] => {
  const [id, rows] = text.split(":");
  return [Number(id), Number(rows)];
};

type DatedRow = { lastKindId: number; above: number; through: number; counts: string | null };

/** Range and counts in one statement, so that they are consistent. */
const countDated = async (
  db: Database,
  { fromMs, toMs }: ActivityFilter,
  kindIds: number[],
): Promise<DatedRow> => {
  const { corrections, ...days } = daySpan(fromMs, toMs);
  const bounds = corrections.flatMap((span, at) => [
    sql`, ${firstAt(span.fromMs)} as ${sql.identifier(`from_${at}`)}`,
    sql`, ${firstAt(span.toMs)} as ${sql.identifier(`to_${at}`)}`,
  ]);
  const [row] = await db.execute<DatedRow>(sql`
    with bound as materialized (
      select anchor_id, head_id,
        ${fromMs === null ? sql`anchor_id + 1` : firstAt(fromMs)} as first,
        ${toMs === null ? sql`head_id + 1` : firstAt(toMs)} as behind ${sql.join(bounds)}
      from activity_chain
    ), kind as materialized (select unnest(${idList(kindIds)}::int[]) as id),
    part as (${sql.join([...wholeDays(days, kindIds), ...corrections.map(corrected)], sql` union all `)})
    select (select coalesce(max(id), 0) from activity_kinds) as "lastKindId",
      (first - 1)::float8 as above, (behind - 1)::float8 as through,
      (select string_agg(kind_id || ':' || n, ',') from (
        select kind_id, sum(rows) as n from part group by kind_id having sum(rows) > 0
      ) counted) as counts
    from bound`);
  if (row === undefined) throw new Error("the activity log has lost its chain");
  return row;
};

const firstAt = (ms: number): SQL => sql`activity_first_at(to_timestamp(${ms}::float8 / 1000))`;

// Up to this many kinds, each is looked up separately; beyond that, all rows of the days are read. Measured at
// 10,000,000 rows.
const fewKinds = 64;

const wholeDays = ({ firstDay, endDay }: Pick<DaySpan, "firstDay" | "endDay">, kindIds: number[]): SQL[] => {
  if (firstDay !== null && firstDay === endDay) return [sql`select 0 as kind_id, 0 as rows`];
  const from = firstDay === null ? sql`true` : sql`day >= ${dayOf(firstDay)}`;
  const to = endDay === null ? sql`true` : sql`day < ${dayOf(endDay)}`;
  if (kindIds.length <= fewKinds) {
    return [
      sql`select kind_id, rows from kind join activity_days on kind_id = kind.id where ${from} and ${to}`,
    ];
  }
  // Reads whichever days are fewer: those of the range, or all others, which are then subtracted from the total.
  const isShort = sql`(select 2 * (behind - first) <= head_id - anchor_id from bound)`;
  return [
    sql`select kind_id, rows from activity_days where ${isShort} and ${from} and ${to}`,
    sql`select id, rows from activity_kinds where not ${isShort}`,
    sql`select kind_id, -rows from activity_days where not ${isShort} and not (${from} and ${to})`,
  ];
};

const corrected = ({ sign }: CountedSpan, at: number): SQL => sql`
  select kind.id, counted.n from bound cross join kind cross join lateral (
    select ${sign === 1 ? sql`` : sql`-`} count(*) as n from activities
    where kind_id = kind.id and id >= ${sql.identifier(`from_${at}`)} and id < ${sql.identifier(`to_${at}`)}
  ) counted`;

/** A day, by its number since 1970, as an SQL date. */
export const dayOf = (day: number): SQL => sql`(date '1970-01-01' + ${day}::int)`;

/** Numbers as the text of an SQL array: one parameter for any length. */
export const idList = (ids: readonly number[]): string => `{${ids.join(",")}}`;

/** One combination of the values that activities are filtered by. */
export type ActivityKind = KindNames & { id: number };

/** How many rows a kind has, and the number of the newest one. */
type KindCount = { rows: number; lastId: number };

/** The end and beginning of the log and its rows by kind, in one snapshot. */
type LogState = {
  headId: number;
  /** The newest row that retention has removed. */
  anchorId: number;
  kinds: ReadonlyMap<number, ActivityKind>;
  /** Kind ids increase: an unknown one has a larger id. */
  lastKindId: number;
  /** By the kind's id; a kind without rows is absent. */
  kindCounts: ReadonlyMap<number, KindCount>;
};

/**
 * Reads the state of the log. Committed kinds never change, so each is read once; their rows are counted again only
 * when the log has grown or shrunk.
 */
export const readLog = async (db: Database): Promise<LogState> => {
  const known = states.get(db) ?? empty;
  // The counts as one text: as rows, thousands of them would cost several times as much.
  const [row] = await db.execute<StateRow>(sql`
    select head_id::float8 as "headId", anchor_id::float8 as "anchorId", fresh.kind_counts as "kindCounts", fresh.added
    from activity_chain cross join lateral (
      select string_agg(id || ':' || rows || ':' || last_id, ',') filter (where rows > 0) as kind_counts,
        json_agg(json_build_array(id, plugin_name, type, status, severity, actor_kind))
          filter (where id > ${known.lastKindId}) as added
      from activity_kinds where head_id <> ${known.headId} or anchor_id <> ${known.anchorId}
    ) fresh`);
  if (row === undefined) throw new Error("the activity log has lost its chain");
  const { headId, anchorId } = row;
  if (headId === known.headId && anchorId === known.anchorId) return known;
  const added = (row.added ?? []).map(kindFrom);
  const state = {
    headId,
    anchorId,
    kinds: added.length === 0 ? known.kinds : new Map([...known.kinds, ...added]),
    lastKindId: added.reduce((last, [id]) => Math.max(last, id), known.lastKindId),
    kindCounts: readKindCounts(row.kindCounts),
  };
  states.set(db, state);
  return state;
};

/** The dictionary with at least the kinds of these rows, which were read before. */
export const kindsOfRows = async (
  db: Database,
  rows: readonly { kindId: number }[],
): Promise<LogState["kinds"]> => {
  const known = states.get(db)?.kinds;
  if (known !== undefined && rows.every(({ kindId }) => known.has(kindId))) return known;
  return (await readLog(db)).kinds;
};

type KindTuple = [
  id: number,
  pluginName: string,
  type: KindNames["type"],
  status: KindNames["status"],
  severity: KindNames["severity"],
  actorKind: KindNames["actorKind"],
];

type StateRow = { headId: number; anchorId: number; kindCounts: string | null; added: KindTuple[] | null };

const states = new WeakMap<Database, LogState>();
const empty: LogState = { headId: 0, anchorId: 0, kinds: new Map(), lastKindId: -1, kindCounts: new Map() };

const kindFrom = ([id, pluginName, type, status, severity, actorKind]: KindTuple): [number, ActivityKind] => [
  id,
  { id, pluginName, type, status, severity, actorKind },
];

const readKindCounts = (text: string | null): Map<number, KindCount> =>
  new Map(
    (text?.split(",") ?? []).map((count) => {
      const [id, rows, lastId] = count.split(":");
      return [Number(id), { rows: Number(rows), lastId: Number(lastId) }];
    }),
  );

/** A matching activity: its number and the id of its kind. */
export type Match = { id: number; kindId: number };

/** The text to search for, and the number of matches wanted. */
type TextQuery = { search: string; limit: number };

// With so few remaining rows, reading them all is faster than the index. Measured at 10,000,000 rows.
const fewRows = 5_000;
// Common texts are found among this many of the newest rows faster than by the index.
const windowRows = 20_000;

/** The newest activities of a selection that contain a text in one of their columns, newest first. */
export const findMatches = async (db: Database, selection: Selection, query: TextQuery): Promise<Match[]> => {
  const search = query.search.toLowerCase();
  const named = selection.kinds.filter(({ kind }) => isNamed(kind, search));
  const found = [
    await findTexts(db, selection, query),
    named.length === 0 ? [] : await readMatches(db, ofKindsAlone({ ...selection, kinds: named }, query)),
    isRequestIdStart(search) ? await readMatches(db, byRequestId(selection, { ...query, search })) : [],
  ].flat();
  const once = new Map(found.map((match) => [match.id, match]));
  return [...once.values()].sort((one, other) => other.id - one.id).slice(0, query.limit);
};

/** Those that contain it in their texts. */
const findTexts = async (
  db: Database,
  selection: Selection,
  { search, limit }: TextQuery,
): Promise<Match[]> => {
  const { above, through, kinds, total } = selection;
  if (kinds.length === 0 || through <= above) return [];
  if (total <= fewRows && !selection.isWhole)
    return readMatches(db, amongKinds(selection, { search, limit }));
  const window = newestOf(selection, windowRows);
  const near = await readMatches(db, amongNewest(window, { search, limit }));
  if (near.length === limit || window.above === above) return near;
  const rest = belowOf(selection, window.above + 1);
  const { piece, share } = await sampleText(db, search, rest);
  const query = { search, limit: limit - near.length };
  // Scans whichever is smaller: the rows of the kinds, or those with the text.
  const isCommoner = !rest.isWhole && share * (rest.through - rest.above) > rest.total;
  const far = isCommoner ? amongKinds(rest, query) : byIndex(rest, { ...query, piece });
  return [...near, ...(await readMatches(db, far))];
};

/** Reads the rows of a few kinds. */
const amongKinds = (selection: Selection, query: TextQuery): SQL =>
  ofKindsAlone(selection, query, holds(query.search, unindexed));

const ofKindsAlone = (
  { above, through, kinds }: Selection,
  { limit }: Pick<TextQuery, "limit">,
  text: SQL = sql`true`,
): SQL => sql`
  select held.id, held.kind_id from unnest(${idsOf(kinds)}::int[]) k cross join lateral (
    select id, kind_id from activities
    where kind_id = k and id > ${above} and id <= ${through} and ${text}
    order by id desc limit ${limit}
  ) held order by held.id desc limit ${limit}`;

/** Uses the index of request ids; the rows are ordered afterwards. */
const byRequestId = (selection: Selection, { search, limit }: TextQuery): SQL => sql`
  select id, kind_id from activities
  where request_id like ${`${search}%`} and id + 0 > ${selection.above} and id + 0 <= ${selection.through}
    and ${ofKinds(selection)}
  order by id + 0 desc limit ${limit}`;

/** Reads the newest rows. */
const amongNewest = (selection: Selection, { search, limit }: TextQuery): SQL => sql`
  select id, kind_id from activities
  where id > ${selection.above} and id <= ${selection.through} and ${ofKinds(selection)}
    and ${holds(search, unindexed)}
  order by id desc limit ${limit}`;

/**
 * Goes backwards in stretches of 65,536 numbers until there are enough matches: the index begins with the stretch. `+
 * 0` keeps the planner from using the index on numbers.
 */
const byIndex = (selection: Selection, { search, piece, limit }: TextQuery & { piece: string }): SQL => sql`
  select held.id, held.kind_id
  from generate_series(${selection.through}::bigint >> 16, ${selection.above}::bigint >> 16, -1) stretch
  cross join lateral (
    select id, kind_id from activities
    where array[(id >> 16)::int] @> array[stretch::int] and ${holds(piece)} and ${holds(search, unindexed)}
      and id + 0 > ${selection.above} and id + 0 <= ${selection.through} and ${ofKinds(selection)}
    order by id + 0 desc limit ${limit}
  ) held limit ${limit}`;

const ofKinds = (selection: Selection): SQL =>
  selection.isWhole ? sql`true` : sql`kind_id + 0 = any(${idsOf(selection.kinds)}::int[])`;

const idsOf = (kinds: Selection["kinds"]): string => idList(kinds.map(({ kind }) => kind.id));

// Wildcards in the search are escaped. Lowercased by the database, as the column is.
const holds = (search: string, column: SQL = sql`search`): SQL =>
  sql`${column} like '%' || lower(${search.replace(/[\\%_]/g, "\\$&")}) || '%'`;

// Written this way, the planner can't use the index on texts.
const unindexed = sql`(search || '')`;

const sampleRows = 500;

/**
 * The part of the text to look up in the index, and the estimated share of rows that contain the text. Sampled from the
 * whole range, because a burst of one kind of activity makes the newest rows unlike the rest.
 */
const sampleText = async (
  db: Database,
  search: string,
  { above, through }: Selection,
): Promise<{ piece: string; share: number }> => {
  const [row] = await db.execute<{ text: string; sample: string | null }>(sql`
    select lower(${search}) as text, (select string_agg(search, '') from activities
      where id = any(array(
        select ${above}::bigint + (${through}::bigint - ${above}::bigint) * step / ${sampleRows}::int
        from generate_series(1, ${sampleRows}::int) step
      ))) as sample`);
  if (row === undefined) return { piece: search, share: 0 };
  const sample = row.sample ?? "";
  return {
    piece: rarePiece(row.text, sample),
    share: (sample.split(row.text).length - 1) / sampleRows,
  };
};

/** Reads the matches as one text: as rows, a thousand of them would cost several times as much. */
const readMatches = async (db: Database, matches: SQL): Promise<Match[]> => {
  const [row] = await db.execute<{ matches: string | null }>(
    sql`select string_agg(id || ':' || kind_id, ',' order by id desc) as matches from (${matches}) found`,
  );
  return (row?.matches?.split(",") ?? []).map(matchFrom);
};

const matchFrom = (text: string): Match => {
  const [id, kindId] = text.split(":");
  return { id: Number(id), kindId: Number(kindId) };
};

// A piece has six trigrams: enough to leave few rows, and a fraction of the cost of a whole email address.
const pieceLength = 8;
const leastLength = 5;

/**
 * The part of a text by which a trigram index finds it fastest: each additional common trigram has to be read and
 * excludes hardly any rows. Which ones are common is estimated from `sample`, texts of the table in lowercase. A text
 * without a rare word is used whole.
 */
export const rarePiece = (text: string, sample: string): string => {
  if (text.length <= pieceLength) return text;
  const frequencies = new Map<string, number>();
  const frequencyOf = (trigram: string): number => {
    const known = frequencies.get(trigram) ?? sample.split(trigram).length - 1;
    frequencies.set(trigram, known);
    return known;
  };
  let best = { piece: text, cost: Number.POSITIVE_INFINITY };
  for (const piece of piecesOf(text)) {
    const cost = trigramsOf(piece).reduce((sum, trigram) => sum + frequencyOf(trigram), 0);
    // Of equal pieces, the longer one leaves fewer rows.
    if (cost < best.cost || (cost === best.cost && piece.length > best.piece.length)) best = { piece, cost };
  }
  // If every piece is common, only all of them together leave few rows.
  return sample.includes(best.piece) ? text : best.piece;
};

const words = /[\p{L}\p{N}]+/gu;

const piecesOf = (text: string): string[] =>
  (text.match(words) ?? [])
    .filter((word) => word.length >= leastLength)
    .flatMap((word) =>
      Array.from({ length: Math.max(1, word.length - pieceLength + 1) }, (_, at) =>
        word.slice(at, at + pieceLength),
      ),
    );

const trigramsOf = (piece: string): string[] =>
  Array.from({ length: piece.length - 2 }, (_, at) => piece.slice(at, at + 3));
