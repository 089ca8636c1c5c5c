import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { UserList } from "./list-users.ts";
import type { ListPendingInput } from "./model.ts";
import { type PendingUser, selectPendingUsers } from "./pending-store.ts";

/** One page of the addresses that wait for their verification, and how many match in all. */
export type PendingList = {
  users: PendingUser[];
  pagination: UserList["pagination"];
};

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
