import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import type { Activity } from "./contract.ts";
import { findActivity } from "./row-store.ts";

const number = /^[1-9]\d{0,14}$/;

/** One activity. For admins and the operator. Throws `NOT_FOUND`. */
export const getActivity = async (ctx: Context, input: { id: string }): Promise<Activity> => {
  requireAdmin(ctx);
  await ctx.activity.settle();
  const activity = number.test(input.id) ? await findActivity(ctx.db, Number(input.id)) : null;
  if (activity === null) throw new AppError("NOT_FOUND", activityTexts.unknown);
  return activity;
};
