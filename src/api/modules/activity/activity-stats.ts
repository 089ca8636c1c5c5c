import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { countBy } from "./count-by.ts";
import { countSince } from "./days-store.ts";
import { readFilter } from "./filter.ts";
import type { ActivityStats } from "./model.ts";
import { selectByFilter } from "./selection-store.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** What the whole log holds, in numbers. For admins and the operator. */
export const activityStats = async (ctx: Context): Promise<ActivityStats> => {
  requireAdmin(ctx);
  await ctx.activity.settle();
  const { kinds } = await selectByFilter(ctx.db, readFilter({}));
  const counts = countBy(kinds.map(({ kind, rows }) => [kind, rows]));
  const last24Hours = await countSince(ctx.db, ctx.clock.now().getTime() - dayMs);
  return { ...counts, last24Hours, failures: counts.byStatus.failure ?? 0 };
};
