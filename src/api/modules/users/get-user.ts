import type { Context } from "#api/core/context.ts";
import { describeDevice } from "#api/core/device-words.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { countSessions, listSessions } from "#api/modules/sessions/index.ts";
import { unknownUser } from "./change-account.ts";
import { countEnabledAdmins, type ListedUser, selectListedUser } from "./list-store.ts";
import type { UserHandle } from "./model.ts";
import { findUser } from "./store.ts";

/** A signed-in browser as an admin sees it; `device` says in a few words what it is. */
export type ShownSession = {
  id: string;
  ip: string;
  userAgent: string | null;
  device: string;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
};

/**
 * Everything that an admin may know of a user. `isLastAdmin`: no other enabled admin remains. `sessions` are the last
 * used, at most 100, `sessionCount` counts all.
 */
export type UserDetail = ListedUser & {
  hasPassword: boolean;
  isLastAdmin: boolean;
  sessionCount: number;
  sessions: ShownSession[];
};

/** One user with their open sessions, by id or address. For admins and the operator. Throws `NOT_FOUND`. */
export const getUser = async (ctx: Context, input: UserHandle): Promise<UserDetail> => {
  requireAdmin(ctx);
  const row = await findUser(ctx.db, input.user);
  const user = row ? await selectListedUser(ctx.db, row.id) : null;
  if (!user) throw unknownUser();
  const now = ctx.clock.now();
  const open = await listSessions(ctx.db, user.id, now);
  const isEnabledAdmin = user.role === "admin" && !user.disabled;
  return {
    ...user,
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
