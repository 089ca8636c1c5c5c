import type { ActivityEntry } from "#api/core/activity.ts";
import { requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import type { Context } from "#api/core/context.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { countOlder } from "./clean-up-activity.ts";
import type { Retention } from "./contract.ts";
import { lockChain } from "./held-chain-store.ts";
import { readRetentionDays, writeRetentionDays } from "./retention-store.ts";

/** Sets for how many days activities are kept; the worker removes older ones from then on. For admins and the operator. */
export const setRetention = async (ctx: Context, { days }: Retention) => {
  const message = activityTexts.kept(days);
  await adminAction(
    ctx,
    { ...entry, description: message, described: (before: number | null) => changeOf(before, days) },
    async (tx) => {
      // Of two who set it at once, the second replaces what the first has set.
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
    recorded: change === null ? [] : [{ ...entry, description: activityTexts.kept(days), ...change }],
  };
};

const entry = {
  type: "configuration_changed",
  severity: "medium",
  action: "Set how long activities are kept",
} as const satisfies ActivityEntry;

const changeOf = (before: number | null, days: number | null) =>
  before === days ? null : { before: { days: before }, after: { days } };
