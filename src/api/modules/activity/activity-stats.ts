import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ActivityStats, ActivityStatsInput } from "./contract.ts";
import { countSince } from "./days-store.ts";
import { type ActivityFilter, readFilter } from "./filter.ts";
import { countFiltered } from "./list-activity.ts";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * What the filters let through, in numbers; of a search the newest 1,000 matches. For admins and the operator. Throws a
 * 422 for an end before the start.
 */
export const activityStats = async (ctx: Context, input: ActivityStatsInput): Promise<ActivityStats> => {
  requireAdmin(ctx);
  const filter = readFilter(input);
  await ctx.activity.settle();
  const counts = await countFiltered(ctx, filter);
  const last24Hours = await countRecent(ctx, filter);
  return { ...counts, last24Hours, failures: counts.byStatus.failure ?? 0 };
};

const countRecent = async (ctx: Context, filter: ActivityFilter): Promise<number> => {
  const dayAgo = ctx.clock.now().getTime() - dayMs;
  const { words, isSecurity, search, toMs } = filter;
  const fromMs = Math.max(filter.fromMs ?? dayAgo, dayAgo);
  if (toMs !== null && toMs <= fromMs) return 0;
  // Of the whole log this is known without counting kind by kind.
  const isWhole = words.length === 0 && !isSecurity && search === "" && toMs === null;
  if (isWhole && fromMs === dayAgo) return countSince(ctx.db, dayAgo);
  return (await countFiltered(ctx, { ...filter, fromMs })).total;
};
