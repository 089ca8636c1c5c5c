import { and, eq, lte, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { activityChain, installation } from "#api/db/schema.ts";
import { cleanupDays } from "#contract/activity.ts";
import { holdChain } from "./chain-store.ts";
import { sealEnds } from "./draft.ts";

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
