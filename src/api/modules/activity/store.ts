import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { activityChain, installation } from "#api/db/schema.ts";
import { cleanupDays } from "#contract/activity.ts";
import { holdChain } from "./chain-store.ts";
import type { Activity } from "./contract.ts";
import { sealEnds } from "./draft.ts";
import type { KindNames } from "./filter.ts";
import { dayOf, idList, kindsOfRows, type Selection } from "./selection-store.ts";

/** Which rows of a selection to return: `limit`, after the `offset` newest. */
type Slice = { offset: number; limit: number };

/** A slice of a selection, newest first. */
export const selectActivities = async (
  db: Database,
  selection: Selection,
  { offset, limit }: Slice,
): Promise<Activity[]> => {
  const { above, through, kinds } = selection;
  if (kinds.length === 0 || through - above <= offset) return [];
  // Numbers have no gaps: if every row of the range is wanted, the position is a subtraction.
  if (selection.isWhole) {
    const newest = through - offset;
    return activitiesFrom(
      db,
      sql`where id > ${above} and id <= ${newest} order by activities.id desc limit ${limit}`,
    );
  }
  const nearby = await selectNearby(db, selection, { offset, limit });
  if (nearby !== null) return nearby;
  if (mergedRows(kinds, offset + limit) <= deepRows) return selectByKinds(db, selection, { offset, limit });
  const depth = await findDepth(db, selection, { offset, limit });
  return depth === null ? [] : selectByKinds(db, depth.selection, { offset: depth.offset, limit });
};

// From here on, counting days first is faster.
const deepRows = 50_000;

// Up to this many rows, reading in order is faster than merging many kinds. Measured at 10,000,000 rows.
const nearbyRows = 4_000;

/**
 * Walks back from the newest row if enough wanted rows should be near; `null` if they are not, for example because all
 * of a kind are old.
 */
export const selectNearby = async (
  db: Database,
  { above, through, kinds, total }: Selection,
  { offset, limit }: Slice,
): Promise<Activity[] | null> => {
  const wanted = offset + limit;
  const window = Math.ceil((4 * wanted * (through - above)) / total);
  if (window > Math.max(nearbyRows, Math.min(deepRows, mergedRows(kinds, wanted)))) return null;
  const lowest = Math.max(above, through - window);
  const found = await activitiesFrom(
    db,
    sql`where id > ${lowest} and id <= ${through} and kind_id + 0 = any(${idsOf(kinds)}::int[])
      order by activities.id desc limit ${limit} offset ${offset}`,
  );
  return found.length === limit || lowest === above ? found : null;
};

/** The maximum number of index entries that merging kinds reads. */
const mergedRows = (kinds: Selection["kinds"], wanted: number): number =>
  kinds.length <= wanted ? kinds.reduce((sum, { rows }) => sum + Math.min(rows, wanted), 0) : wanted * wanted;

/** Merges the newest rows of the kinds, only of the `wanted` kinds with the newest rows. */
export const selectByKinds = (
  db: Database,
  { above, through, kinds }: Selection,
  { offset, limit }: Slice,
): Promise<Activity[]> => {
  const wanted = offset + limit;
  const ofKind = sql`select id from activities where kind_id = k and id > ${above} and id <= ${through} order by id desc`;
  return activitiesFrom(
    db,
    sql`join (
      select head.id from (
        select k, (${ofKind} limit 1) as newest
        from unnest(${idsOf(frontOf(kinds, through, wanted))}::int[]) k order by newest desc nulls last limit ${wanted}
      ) front cross join lateral (${ofKind} limit ${wanted}) head
      order by head.id desc limit ${limit} offset ${offset}
    ) page using (id) order by activities.id desc`,
  );
};

/** The kinds that can have the newest rows: if a kind's newest row is beyond the range, it has to be looked up. */
const frontOf = (kinds: Selection["kinds"], through: number, wanted: number): Selection["kinds"] => {
  if (kinds.length <= wanted) return kinds;
  const known = kinds.filter(({ lastId }) => lastId <= through);
  const newest = known.sort((one, other) => other.lastId - one.lastId).slice(0, wanted);
  return [...kinds.filter(({ lastId }) => lastId > through), ...newest];
};

const idsOf = (kinds: Selection["kinds"]): string => idList(kinds.map(({ kind }) => kind.id));

/**
 * The columns that `toActivity` reads, from the table under its own name. Order by `activities.id`: plain `id` would be
 * the converted number, which has no index.
 */
const activityColumns = sql`activities.id::float8 as id, kind_id as "kindId", occurred_at as "occurredAt",
  action, description, user_id as "userId", user_email as "userEmail", duration_ms as duration, occurrences,
  request_id as "requestId", ip, user_agent as "userAgent", changes`;

/** The activity with that number, or `null`. */
export const findActivity = async (db: Database, id: number): Promise<Activity | null> => {
  const [activity] = await activitiesFrom(db, sql`where id = ${id}`);
  return activity ?? null;
};

/** The activities after a number, oldest first. */
export const selectActivitiesAfter = (db: Database, after: number, limit: number): Promise<Activity[]> =>
  activitiesFrom(db, sql`where id > ${after} order by activities.id limit ${limit}`);

/** The activities with these numbers that still exist, newest first. */
export const selectActivitiesById = async (db: Database, ids: readonly number[]): Promise<Activity[]> =>
  ids.length === 0
    ? []
    : activitiesFrom(db, sql`where id = any(${idList(ids)}::bigint[]) order by activities.id desc`);

/** The activities that `rest` of a query on their table finds. */
const activitiesFrom = async (db: Database, rest: SQL): Promise<Activity[]> => {
  const rows = await db.execute<ActivityRow>(sql`select ${activityColumns} from activities ${rest}`);
  const kinds = await kindsOfRows(db, rows);
  return rows.map((row) => toActivity(row, kinds));
};

/** The position of a far offset in a selection: that many rows below the newest of a narrower one. */
type Depth = { selection: Selection; offset: number };

type DepthRow = { above: number | null; through: number; skipped: number };

/**
 * Finds the days of the rows from `offset` on by their counts, so that only those days' rows are read. `null` if the
 * selection ends before.
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

/** A row of the table of activities, as queries with `activityColumns` return it. */
type ActivityRow = Pick<
  Activity,
  | "id"
  | "action"
  | "description"
  | "userId"
  | "userEmail"
  | "duration"
  | "occurrences"
  | "requestId"
  | "ip"
  | "userAgent"
> & {
  kindId: number;
  /** As PostgreSQL writes a `timestamptz`. */
  occurredAt: string;
  changes: string | null;
};

/** The activity of a row. Throws if the row's kind is not among `kinds`: read the log's state after the row. */
const toActivity = (row: ActivityRow, kinds: ReadonlyMap<number, KindNames>): Activity => {
  const kind = kinds.get(row.kindId);
  if (kind === undefined) throw new Error(`activity ${row.id} is of an unknown kind`);
  return {
    id: row.id,
    timestamp: new Date(row.occurredAt).toISOString(),
    pluginName: kind.pluginName,
    type: kind.type,
    action: row.action,
    description: row.description,
    status: kind.status,
    severity: kind.severity,
    actorKind: kind.actorKind,
    userId: row.userId,
    userEmail: row.userEmail,
    duration: row.duration,
    occurrences: row.occurrences,
    requestId: row.requestId,
    ip: row.ip,
    userAgent: row.userAgent,
    changes: row.changes === null ? null : readChanges(row.changes),
  };
};

/** Safe because only the log's writer writes that column, and a trigger refuses to change it. */
const readChanges = (text: string): Activity["changes"] => JSON.parse(text) as Activity["changes"];

/** How many activities were recorded since a time, in milliseconds since 1970. */
export const countSince = async (db: Database, sinceMs: number): Promise<number> => {
  const [row] = await db.execute<{ rows: number }>(sql`
    select (head_id + 1 - activity_first_at(to_timestamp(${sinceMs}::float8 / 1000)))::float8 as rows
    from activity_chain`);
  return row?.rows ?? 0;
};

/** Rows per kind id; `null` counts every kind. */
type CountedKinds = {
  all: readonly number[] | null;
  failures: readonly number[];
  securityEvents: readonly number[];
};

/** A day, in days since 1970, with its rows. */
type CountedDay = { day: number; total: number; failures: number; securityEvents: number };

/** The days in a range (inclusive) that have rows of the kinds. */
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

/** What a cleanup will remove: `count` rows, the newest of them number `through` with the hash `digest`. */
export type CleanUpPlan = { through: number; digest: string; count: number };

/** The action of a cleanup in the log. Together with the plan in its `after`, it is found again. */
export const cleanUpAction = "Cleaned up the activity log";

/** What is older than `cutoff`. If there is nothing to remove, the plan ends where the last one did. */
export const planCleanUp = async (db: Database, cutoff: Date): Promise<CleanUpPlan> => {
  const [plan] = await db.execute<CleanUpPlan>(sql`
    select through::float8 as through, encode(coalesce(hash, anchor_hash), 'hex') as digest,
      (through - anchor_id)::float8 as count
    from activity_chain
      cross join lateral (select activity_first_at(${cutoff.toISOString()}::timestamptz) - 1 as through) old
      left join activities on activities.id = through and through > anchor_id`);
  if (plan === undefined) throw new Error("the activity log has lost its chain");
  return plan;
};

/** The cleanups in the log with their recorded plans, newest first. */
export const selectCleanUps = async (db: Database): Promise<RecordedPlan[]> => {
  const rows = await db.execute<{ changes: string | null }>(sql`
    select changes from activity_kinds join activities on kind_id = activity_kinds.id
    where type = 'admin_action' and plugin_name = 'core' and status = 'success' and severity = 'high'
      and action = ${cleanUpAction} order by activities.id desc`);
  return rows.flatMap(({ changes }) => planIn(changes) ?? []);
};

type RecordedPlan = Pick<CleanUpPlan, "through" | "digest">;

/** Reads defensively: the log may have been tampered with. */
const planIn = (changes: string | null): RecordedPlan | null => {
  try {
    const after: unknown = Reflect.get(Object(JSON.parse(changes ?? "null")), "after");
    const { through, digest } = { through: null, digest: null, ...Object(after) };
    return typeof through === "number" && typeof digest === "string" ? { through, digest } : null;
  } catch {
    // Not what the writer writes, so it proves nothing.
    return null;
  }
};

// What the embedded database does in less than a fifth of a second: it serves no one else meanwhile.
const batchRows = 2_000;

/**
 * Removes one batch of the oldest rows up to number `through`, and moves the beginning of the log after them. Resolves
 * to how many there were; 0 when all are gone.
 */
export const removeBatch = (
  db: Database,
  { through, box }: { through: number; box: SecretBox },
): Promise<number> =>
  db.transaction(async (tx) => {
    const { headId, headHash, anchorId, fault } = await holdChain(tx, { box, known: null });
    const [last] = await tx.execute<{ id: number; hash: Uint8Array }>(sql`
      select id::float8 as id, hash from (
        select id, hash from activities where id > ${anchorId} and id <= ${through} order by id limit ${batchRows}
      ) batch order by id desc limit 1`);
    if (last === undefined) return 0;
    const ends = { headId, headHash, anchorId: last.id, anchorHash: new Uint8Array(last.hash), fault };
    await tx
      .update(activityChain)
      .set({ anchorId: ends.anchorId, anchorHash: ends.anchorHash, fault, seal: sealEnds(box, ends) })
      .where(eq(activityChain.id, 1));
    return removeRows(tx, { above: anchorId, through: last.id });
  });

const removeRows = async (
  tx: Database,
  { above, through }: { above: number; through: number },
): Promise<number> => {
  const [gone] = await tx.execute<{ rows: number; lastDay: string }>(sql`
    with removed as (
      delete from activities where id > ${above} and id <= ${through}
      returning kind_id, (occurred_at at time zone 'UTC')::date as day
    ), counted as (
      select kind_id, day, count(*) as n from removed group by kind_id, day
    ), days as (
      update activity_days set rows = rows - n from counted
      where activity_days.kind_id = counted.kind_id and activity_days.day = counted.day
    ), kinds as (
      update activity_kinds set rows = rows - n
      from (select kind_id, sum(n) as n from counted group by kind_id) sums where id = kind_id
    )
    select coalesce(sum(n), 0)::float8 as rows, max(day)::text as "lastDay" from counted`);
  if (gone === undefined) return 0;
  await tx.execute(sql`delete from activity_days where day <= ${gone.lastDay}::date and rows = 0`);
  return gone.rows;
};

const daysKey = "activity.retentionDays";
const turnKey = "activity.retentionTurn";

/** How many days activities are kept; `null` for no limit. */
export const readRetentionDays = async (db: Database): Promise<number | null> => {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, daysKey));
  const days = Number(row?.value);
  // A value that was not written here is ignored: 0 would empty the log.
  return Number.isInteger(days) && days >= cleanupDays.least && days <= cleanupDays.most ? days : null;
};

/** Sets what {@link readRetentionDays} returns. */
export const writeRetentionDays = async (db: Database, days: number | null): Promise<void> => {
  if (days === null) {
    await db.delete(installation).where(eq(installation.key, daysKey));
    return;
  }
  const value = String(days);
  await db
    .insert(installation)
    .values({ key: daysKey, value })
    .onConflictDoUpdate({ target: installation.key, set: { value } });
};

/** Takes the turn to clean up, unless someone took it after `since`: only one of several callers gets it. */
export const takeTurn = async (
  db: Database,
  { now, since }: { now: Date; since: Date },
): Promise<boolean> => {
  const value = now.toISOString();
  const taken = await db
    .insert(installation)
    .values({ key: turnKey, value })
    .onConflictDoUpdate({
      target: installation.key,
      set: { value },
      // Times of the same format sort as texts.
      setWhere: lte(installation.value, since.toISOString()),
    })
    .returning({ key: installation.key });
  return taken.length > 0;
};

/** Gives an unused turn back, so that the next check can take it. */
export const giveBackTurn = async (db: Database, takenAt: Date): Promise<void> => {
  await db
    .delete(installation)
    .where(and(eq(installation.key, turnKey), eq(installation.value, takenAt.toISOString())));
};
