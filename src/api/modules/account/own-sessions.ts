import { requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { endSessionById, endSessionsOf, findSession, listSessions } from "#api/modules/sessions/index.ts";
import type { OwnSession } from "./contract.ts";

/** The caller's sessions: first the one that asks, then by their last use. */
export const listOwnSessions = async (ctx: Context): Promise<OwnSession[]> => {
  const { user, sessionHash } = requireSession(ctx);
  const rows = await listSessions(ctx.db, user.id, ctx.clock.now());
  return rows
    .map((row) => ({
      id: row.id,
      isCurrent: row.tokenHash === sessionHash,
      ip: row.ip,
      userAgent: row.userAgent,
      device: describeDevice(row.userAgent),
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
};

/** Ends all of the caller's sessions but the one that asks, and tells how many those were. */
export const endOtherSessions = async (ctx: Context): Promise<{ ended: number }> => {
  const { user, sessionHash } = requireSession(ctx);
  const ended = await ctx.db.transaction(async (tx) => {
    const count = await endSessionsOf(tx, user.id, { except: sessionHash });
    // Two browsers that end each other at once would both be signed out: the later one is refused.
    if (!(await findSession(tx, sessionHash))) throw new AppError("NOT_SIGNED_IN");
    return count;
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { ended };
};

/** Ends one of the caller's sessions. Throws `NOT_FOUND` for an id that is nobody's or somebody else's. */
export const endOwnSession = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ isCurrent: boolean }> => {
  const { user, sessionHash } = requireSession(ctx);
  const endedHash = await endSessionById(ctx.db, user.id, id);
  if (endedHash === null) throw new AppError("NOT_FOUND");
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { isCurrent: endedHash === sessionHash };
};
