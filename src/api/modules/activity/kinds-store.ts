import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { KindNames } from "./filter.ts";

/** One combination of what activities are filtered by. */
export type ActivityKind = KindNames & { id: number };

/** How many rows a kind has, and the number of the newest of them. */
export type KindTally = { rows: number; lastId: number };

/** Where the log ends and begins, and what it holds of each kind: all of one moment. */
export type LogState = {
  headId: number;
  /** The newest row that retention has removed. */
  anchorId: number;
  kinds: ReadonlyMap<number, ActivityKind>;
  /** Kinds are numbered upwards: one that is not known has a larger number. */
  lastKindId: number;
  /** By the kind's id; a kind without rows is absent. */
  tallies: ReadonlyMap<number, KindTally>;
};

/**
 * Reads where the log stands. Kinds never change once they are committed, so each is read once; their rows are counted
 * anew only when the log has grown or shrunk.
 */
export const readLog = async (db: Database): Promise<LogState> => {
  const known = states.get(db) ?? empty;
  // The tallies in one text: as rows, thousands of them would cost several times as much.
  const [row] = await db.execute<StateRow>(sql`
    select head_id::float8 as "headId", anchor_id::float8 as "anchorId", fresh.tallies, fresh.added
    from activity_chain cross join lateral (
      select string_agg(id || ':' || rows || ':' || last_id, ',') filter (where rows > 0) as tallies,
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
    tallies: readTallies(row.tallies),
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

type StateRow = { headId: number; anchorId: number; tallies: string | null; added: KindTuple[] | null };

const states = new WeakMap<Database, LogState>();
const empty: LogState = { headId: 0, anchorId: 0, kinds: new Map(), lastKindId: -1, tallies: new Map() };

const kindFrom = ([id, pluginName, type, status, severity, actorKind]: KindTuple): [number, ActivityKind] => [
  id,
  { id, pluginName, type, status, severity, actorKind },
];

const readTallies = (text: string | null): Map<number, KindTally> =>
  new Map(
    (text?.split(",") ?? []).map((tally) => {
      const [id, rows, lastId] = tally.split(":");
      return [Number(id), { rows: Number(rows), lastId: Number(lastId) }];
    }),
  );
