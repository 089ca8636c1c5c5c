import { requireSession } from "#api/core/actor.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { listSessions } from "#api/modules/sessions/index.ts";
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
