import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ListUsersInput, UserList } from "./contract.ts";
import { selectUsers } from "./list-store.ts";

/**
 * Users whose name or address holds `search`, with that role and status where one is asked for, sorted as asked for:
 * left out, newest first; times begin with the latest, texts with A. For admins and the operator.
 */
export const listUsers = async (ctx: Context, input: ListUsersInput): Promise<UserList> => {
  requireAdmin(ctx);
  const { limit, offset, sort = "created" } = input;
  const { order = sort === "created" || sort === "lastSeen" ? "desc" : "asc" } = input;
  const filter = { ...input, search: input.search.trim(), sort, order };
  const { rows, ...counted } = await selectUsers(ctx.db, filter);
  return { users: rows, pagination: { ...counted, limit, offset } };
};
