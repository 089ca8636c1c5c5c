import { adminAction } from "#api/core/admin-action.ts";
import type { Context } from "#api/core/context.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import type { Retention } from "./contract.ts";
import { lockChain } from "./held-chain-store.ts";
import { readRetentionDays, writeRetentionDays } from "./retention-store.ts";

/** Sets for how many days activities are kept; the worker removes older ones from then on. For admins and the operator. */
export const setRetention = async (ctx: Context, { days }: Retention) => {
  const message = activityTexts.kept(days);
  await adminAction(
    ctx,
    {
      type: "configuration_changed",
      severity: "medium",
      action: "Set how long activities are kept",
      description: message,
      described: (before) => (before === days ? null : { before: { days: before }, after: { days } }),
    },
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
