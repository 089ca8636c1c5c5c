import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { Retention } from "./contract.ts";
import { readRetentionDays } from "./retention-store.ts";

/** For how many days activities are kept. For admins and the operator. */
export const getRetention = async (ctx: Context): Promise<Retention> => {
  requireAdmin(ctx);
  return { days: await readRetentionDays(ctx.db) };
};
