import type { ActivityEntry } from "#api/core/activity.ts";
import { requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import { createRounds } from "#api/core/timing.ts";
import { activityTexts } from "#contract/activity.ts";
import { lockChain } from "./chain-store.ts";
import type { CleanUpInput, Retention } from "./contract.ts";
import {
  type CleanUpPlan,
  cleanUpAction,
  giveBackTurn,
  planCleanUp,
  readRetentionDays,
  removeBatch,
  selectCleanUps,
  takeTurn,
  writeRetentionDays,
} from "./store.ts";

/** Sets how many days activities are kept; the worker then removes older ones. For admins and the operator. */
export const setRetention = async (ctx: Context, { days }: Retention) => {
  const message = activityTexts.kept(days);
  await adminAction(
    ctx,
    { ...retentionEntry, description: message, described: (before: number | null) => changeOf(before, days) },
    async (tx) => {
      // If two admins set it at the same time, the second replaces the first one's value.
      await lockChain(tx);
      const before = await readRetentionDays(tx);
      if (before !== days) await writeRetentionDays(tx, days);
      return before;
    },
  );
  return { message, data: { days } };
};

/** What {@link setRetention} would do. For admins and the operator. */
export const planRetention = async (ctx: Context, { days }: Retention): Promise<OwnPlan> => {
  requireAdmin(ctx);
  const change = changeOf(await readRetentionDays(ctx.db), days);
  return {
    summary: activityTexts.wouldKeep(days, days === null ? 0 : await countOlder(ctx, days)),
    recorded:
      change === null ? [] : [{ ...retentionEntry, description: activityTexts.kept(days), ...change }],
  };
};

const retentionEntry = {
  type: "configuration_changed",
  severity: "medium",
  action: "Set how long activities are kept",
} as const satisfies ActivityEntry;

const changeOf = (before: number | null, days: number | null) =>
  before === days ? null : { before: { days: before }, after: { days } };

/** How many days activities are kept. For admins and the operator. */
export const getRetention = async (ctx: Context): Promise<Retention> => {
  requireAdmin(ctx);
  return { days: await readRetentionDays(ctx.db) };
};

/**
 * Removes the activities that are older than `days`, recorded before any of them is removed. After an interruption,
 * call it again; two at the same time do no harm. For admins and the operator. Throws `BUSY`, with nothing removed, if
 * the row about it can't be written at the moment.
 */
export const cleanUpActivity = async (ctx: Context, { days }: CleanUpInput) => {
  const cutoff = cutoffOf(ctx, days);
  const plan = await adminAction(
    ctx,
    { ...cleanUpEntry, described: (planned: CleanUpPlan) => describe({ days, cutoff, plan: planned }) },
    (tx) => planCleanUp(tx, cutoff),
  );
  const deletedCount = await removeRecorded(ctx, plan);
  return { message: activityTexts.cleanedUp(deletedCount), deletedCount };
};

/** What {@link cleanUpActivity} would do. For admins and the operator. */
export const planActivityCleanUp = async (ctx: Context, { days }: CleanUpInput): Promise<OwnPlan> => {
  requireAdmin(ctx);
  const cutoff = cutoffOf(ctx, days);
  const plan = await planCleanUp(ctx.db, cutoff);
  return {
    summary: activityTexts.wouldCleanUp(plan.count, days),
    recorded: [{ ...cleanUpEntry, ...describe({ days, cutoff, plan }) }],
  };
};

/** How many activities are older than this many days. */
const countOlder = async (ctx: Context, days: number): Promise<number> =>
  (await planCleanUp(ctx.db, cutoffOf(ctx, days))).count;

/** The same as a system action, only recorded if there is something to remove; `shouldStop` ends it early. */
const cleanUpBySystem = async (
  services: Services,
  { days, shouldStop }: CleanUpInput & { shouldStop: () => boolean },
): Promise<void> => {
  const cutoff = cutoffOf(services, days);
  const plan = await services.db.transaction(async (tx) => {
    const planned = await planCleanUp(tx, cutoff);
    if (planned.count === 0) return null;
    const about = { ...cleanUpEntry, ...describe({ days, cutoff, plan: planned }) };
    const source = { actor: { kind: "system" as const }, requestId: null, ip: null, userAgent: null };
    await services.activity.record(tx, { entry: about, source, at: services.clock.now() });
    return planned;
  });
  if (plan !== null) await removeRecorded(services, plan, shouldStop);
};

const dayMs = 24 * 60 * 60 * 1000;

const cutoffOf = ({ clock }: Pick<Services, "clock">, days: number): Date =>
  new Date(clock.now().getTime() - days * dayMs);

const cleanUpEntry = {
  type: "admin_action",
  severity: "high",
  action: cleanUpAction,
} as const satisfies ActivityEntry;

type Described = { days: number; cutoff: Date; plan: CleanUpPlan };

const describe = ({ days, cutoff, plan: { count, ...plan } }: Described): Partial<ActivityEntry> => ({
  // The planned cleanup, written before anything is removed.
  description: `Up to ${count} ${count === 1 ? "activity" : "activities"} from before ${minuteOf(cutoff)}`,
  after: { olderThanDays: days, ...plan },
});

const minuteOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Removes what is recorded as removed, but not before the row about it is in the chain. */
const removeRecorded = async (
  { db, activity, secrets }: Services,
  plan: CleanUpPlan,
  shouldStop = () => false,
): Promise<number> => {
  activity.wake();
  await activity.settle();
  const recorded = await selectCleanUps(db);
  if (!recorded.some(({ through, digest }) => through === plan.through && digest === plan.digest))
    throw new AppError("BUSY", undefined, { retryAfterS: 5 });
  let removed = 0;
  while (!shouldStop()) {
    const rows = await removeBatch(db, { through: plan.through, box: secrets });
    if (rows === 0) break;
    removed += rows;
  }
  return removed;
};

/** Removes activities that are older than the setting allows. Each process can have one; they take turns. */
type RetentionWorker = {
  /** Checks now, and then every hour. */
  start(): void;
  /** Cleans up unless it was done within a day, or everything is kept. */
  look(): Promise<void>;
  /** Ends a cleanup after the current batch; the rest waits for the next one. */
  stop(): Promise<void>;
};

const lookMs = 60 * 60 * 1000;
// Less than a day, so that hourly checks don't shift it by an hour each day.
const turnMs = 23.5 * 60 * 60 * 1000;

/** Creates a worker that rests until `start`. */
export const createRetentionWorker = (services: Services): RetentionWorker => {
  const { db, clock, log } = services;
  let isStopping = false;

  const cleanUp = async (): Promise<void> => {
    const days = await readRetentionDays(db);
    if (days === null || isStopping) return;
    const now = clock.now();
    if (!(await takeTurn(db, { now, since: new Date(now.getTime() - turnMs) }))) return;
    try {
      await cleanUpBySystem(services, { days, shouldStop: () => isStopping });
    } catch (error) {
      await giveBackTurn(db, now);
      throw error;
    }
  };

  const complaint = "old activities could not be removed yet";
  const rounds = createRounds({ log, everyMs: lookMs, round: cleanUp, complaint });
  return {
    start: () => rounds.start(),
    look: rounds.look,
    stop: () => {
      isStopping = true;
      return rounds.stop();
    },
  };
};
