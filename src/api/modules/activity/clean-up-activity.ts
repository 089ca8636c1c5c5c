import type { ActivityEntry } from "#api/core/activity.ts";
import { requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import type { CleanUpInput } from "./contract.ts";
import {
  type CleanUpPlan,
  cleanUpAction,
  planCleanUp,
  removeBatch,
  selectCleanUps,
} from "./retention-store.ts";

/**
 * Removes the activities that are older than `days`, recorded before any of them goes. Interrupted, it is simply called
 * again; two at once do no harm. For admins and the operator. Throws `BUSY`, with nothing removed, when the row about it
 * cannot be written at the moment.
 */
export const cleanUpActivity = async (ctx: Context, { days }: CleanUpInput) => {
  const cutoff = cutoffOf(ctx, days);
  const plan = await adminAction(
    ctx,
    { ...entry, described: (planned: CleanUpPlan) => describe({ days, cutoff, plan: planned }) },
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
    recorded: [{ ...entry, ...describe({ days, cutoff, plan }) }],
  };
};

/** How many activities are older than so many days. */
export const countOlder = async (ctx: Context, days: number): Promise<number> =>
  (await planCleanUp(ctx.db, cutoffOf(ctx, days))).count;

/** The same as Atrium's own doing, recorded only where there is something to remove; `shouldStop` ends it early. */
export const cleanUpBySystem = async (
  services: Services,
  { days, shouldStop }: CleanUpInput & { shouldStop: () => boolean },
): Promise<void> => {
  const cutoff = cutoffOf(services, days);
  const plan = await services.db.transaction(async (tx) => {
    const planned = await planCleanUp(tx, cutoff);
    if (planned.count === 0) return null;
    const about = { ...entry, ...describe({ days, cutoff, plan: planned }) };
    const source = { actor: { kind: "system" as const }, requestId: null, ip: null, userAgent: null };
    await services.activity.record(tx, { entry: about, source, at: services.clock.now() });
    return planned;
  });
  if (plan !== null) await removeRecorded(services, plan, shouldStop);
};

const dayMs = 24 * 60 * 60 * 1000;

const cutoffOf = ({ clock }: Pick<Services, "clock">, days: number): Date =>
  new Date(clock.now().getTime() - days * dayMs);

const entry = {
  type: "admin_action",
  severity: "high",
  action: cleanUpAction,
} as const satisfies ActivityEntry;

type Described = { days: number; cutoff: Date; plan: CleanUpPlan };

const describe = ({ days, cutoff, plan: { count, ...plan } }: Described): Partial<ActivityEntry> => ({
  // What is meant to go: written before any of it does.
  description: `Up to ${count} ${count === 1 ? "activity" : "activities"} from before ${minuteOf(cutoff)}`,
  after: { olderThanDays: days, ...plan },
});

const minuteOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Removes what is recorded as removed: not before the row about it has its place in the chain. */
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
