import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { isNamed, isRequestIdStart } from "./filter.ts";
import { belowOf, idList, newestOf, type Selection } from "./selection-store.ts";

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
