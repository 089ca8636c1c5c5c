import { requireAdmin } from "#api/core/actor.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { countRecoveryCodes, findFactorWays, selectFactors } from "#api/modules/second-factors/index.ts";
import { countSessions, listSessions, sessionsOf } from "#api/modules/sessions/index.ts";
import { unknownUser } from "./change-users.ts";
import type { ListUsersInput, UserDetail, UserFactors, UserHandle, UserList } from "./contract.ts";
import { selectListedUser, selectUserCounts, selectUsers } from "./list-store.ts";
import { findUser, hasOtherAdmin } from "./store.ts";

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
  const which = sessionsOf(ctx, user);
  const open = await listSessions(ctx.db, which);
  const isEnabledAdmin = user.role === "admin" && !user.disabled;
  return {
    ...user,
    secondFactor: secondFactorAt && {
      enabledAt: secondFactorAt.toISOString(),
      ways: await findFactorWays(ctx.db, user.id),
      recoveryCodesLeft: await countRecoveryCodes(ctx.db, user.id),
    },
    isLastAdmin: isEnabledAdmin && !(await hasOtherAdmin(ctx, ctx.db, user.id)),
    sessionCount: await countSessions(ctx.db, which),
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

/** The second factors of a user. For admins and the operator. Throws `NOT_FOUND`. */
export const listFactors = async (ctx: Context, input: UserHandle): Promise<UserFactors> => {
  requireAdmin(ctx);
  const user = await findUser(ctx.db, input.user);
  if (!user) throw unknownUser();
  return { factors: await selectFactors(ctx.db, user.id) };
};

/** How many there are; `pending` counts addresses whose link was not followed yet. */
export type UserCounts = { total: number; admins: number; pending: number };

/** Counts the accounts. For admins and the operator. */
export const countUsers = async (ctx: Context): Promise<UserCounts> => {
  requireAdmin(ctx);
  return selectUserCounts(ctx.db, ctx.clock.now());
};
