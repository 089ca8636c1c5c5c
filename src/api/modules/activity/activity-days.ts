import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { isSecurityEvent } from "#contract/activity.ts";
import type { ActivityDays, ActivityDaysInput } from "./contract.ts";
import { selectDays } from "./days-store.ts";
import { readFilter } from "./filter.ts";
import type { ActivityKind } from "./kinds-store.ts";
import { selectByFilter } from "./selection-store.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** How many activities each of the last days has, in UTC, today last; days without any too. For admins and the operator. */
export const activityDays = async (ctx: Context, input: ActivityDaysInput): Promise<ActivityDays> => {
  requireAdmin(ctx);
  const { days, ...query } = input;
  await ctx.activity.settle();
  const filter = readFilter(query);
  const selection = await selectByFilter(ctx.db, filter);
  const selected = selection.kinds.map(({ kind }) => kind);
  const kinds = {
    all: filter.words.length === 0 && !filter.isSecurity ? null : idsOf(selected),
    failures: idsOf(selected.filter(({ status }) => status === "failure")),
    securityEvents: idsOf(selected.filter(isSecurityEvent)),
  };
  const lastDay = Math.floor(ctx.clock.now().getTime() / dayMs);
  const firstDay = lastDay - days + 1;
  const counted = new Map(
    (await selectDays(ctx.db, { firstDay, lastDay, kinds })).map((row) => [row.day, row]),
  );
  return {
    days: Array.from({ length: days }, (_, at) => {
      const { day, ...counts } = counted.get(firstDay + at) ?? { day: 0, ...none };
      return { date: new Date((firstDay + at) * dayMs).toISOString().slice(0, 10), ...counts };
    }),
  };
};

const none = { total: 0, failures: 0, securityEvents: 0 };

const idsOf = (kinds: ActivityKind[]): number[] => kinds.map(({ id }) => id);
