import type { ActivityEntry } from "#api/core/activity.ts";
import { requireOperator } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import { implement } from "#api/core/implement.ts";
import { snapshotTexts } from "#contract/backup-texts.ts";
import { type MadeSnapshot, snapshotsContract } from "./contract.ts";

/**
 * Makes a snapshot of the embedded database now, beside those that it makes by itself. For the operator. Throws `CONFLICT`
 * where a PostgreSQL server is used, `STORAGE_FULL` where it would leave too little room.
 */
const makeSnapshot = async (ctx: Context): Promise<MadeSnapshot> => {
  requireOperator(ctx);
  const { snapshots } = ctx.database;
  if (snapshots === null) throw new AppError("CONFLICT", snapshotTexts.onlyEmbedded);
  const { name, madeAt, sizeBytes } = await snapshots.take();
  // Afterwards, because what is in the snapshot cannot know of it.
  await adminAction(ctx, { ...entry, description: name }, async () => {});
  return { name, madeAt: madeAt.toISOString(), sizeBytes };
};

/** What making one would do. For the operator. Throws `CONFLICT` as {@link makeSnapshot} does. */
const planSnapshot = async (ctx: Context): Promise<OwnPlan> => {
  requireOperator(ctx);
  if (ctx.database.kind === "postgres") throw new AppError("CONFLICT", snapshotTexts.onlyEmbedded);
  // Its name is the moment at which it is made.
  return { summary: "Would make a snapshot. The newest eight are kept", recorded: [entry] };
};

const entry: ActivityEntry = { type: "admin_action", action: "Made a snapshot of the database" };

/** What does the operations about snapshots. */
export const snapshotsOperations = implement("snapshots", snapshotsContract, {
  create: { run: makeSnapshot, plan: planSnapshot },
});
