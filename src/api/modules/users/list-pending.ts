import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ListPendingInput, PendingList } from "./contract.ts";
import { selectPendingUsers } from "./pending-store.ts";

/**
 * Addresses whose registrations were not verified, each by its newest, whose name or address holds `search`, newest
 * first. For admins and the operator.
 */
export const listPending = async (ctx: Context, input: ListPendingInput): Promise<PendingList> => {
  requireAdmin(ctx);
  const { limit, offset } = input;
  const search = input.search.trim();
  const { rows, total } = await selectPendingUsers(ctx.db, { limit, offset, search, now: ctx.clock.now() });
  return { users: rows, pagination: { total, totalIsEstimate: false, limit, offset } };
};
