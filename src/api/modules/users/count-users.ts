import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { selectUserCounts } from "./list-store.ts";

/** How many there are; `pending` counts addresses whose link was not followed yet. */
export type UserCounts = { total: number; admins: number; pending: number };

/** Counts the accounts. For admins and the operator. */
export const countUsers = async (ctx: Context): Promise<UserCounts> => {
  requireAdmin(ctx);
  return selectUserCounts(ctx.db, ctx.clock.now());
};
