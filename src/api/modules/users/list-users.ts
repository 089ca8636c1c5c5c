import { requireAdmin } from "#api/core/actor.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { countRecoveryCodes } from "#api/modules/second-factors/index.ts";
import { countSessions, listSessions } from "#api/modules/sessions/index.ts";
import { unknownUser } from "./change-users.ts";
import type { ListUsersInput, UserDetail, UserHandle, UserList } from "./contract.ts";
import { countEnabledAdmins, selectListedUser, selectUserCounts, selectUsers } from "./list-store.ts";
import { findUser } from "./store.ts";

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

/** One user with their open sessions, by id or address. For admins and the operator. Throws `NOT_FOUND`. */
export const getUser = async (ctx: Context, input: UserHandle): Promise<UserDetail> => {
  requireAdmin(ctx);
  const row = await findUser(ctx.db, input.user);
  const found = row ? await selectListedUser(ctx.db, row.id) : null;
  if (!found) throw unknownUser();
  const { secondFactorAt, ...user } = found;
  const now = ctx.clock.now();
  const open = await listSessions(ctx.db, user.id, now);
  const isEnabledAdmin = user.role === "admin" && !user.disabled;
  return {
    ...user,
    secondFactor: secondFactorAt && {
      enabledAt: secondFactorAt.toISOString(),
      recoveryCodesLeft: await countRecoveryCodes(ctx.db, user.id),
    },
    isLastAdmin: isEnabledAdmin && (await countEnabledAdmins(ctx.db)) === 1,
    sessionCount: await countSessions(ctx.db, user.id, now),
    sessions: open.map(({ id, ip, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      ip,
      userAgent,
      device: describeDevice(userAgent),
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
};

/** How many there are; `pending` counts addresses whose link was not followed yet. */
export type UserCounts = { total: number; admins: number; pending: number };

/** Counts the accounts. For admins and the operator. */
export const countUsers = async (ctx: Context): Promise<UserCounts> => {
  requireAdmin(ctx);
  return selectUserCounts(ctx.db, ctx.clock.now());
};
