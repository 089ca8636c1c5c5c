import type { Context } from "#api/core/context.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { limits } from "#contract/limits.ts";
import type { NewSession } from "./store.ts";

// Enough for any real browser; the rest of an overlong header tells nothing about it.
const userAgentLength = 500;

/** A session of the caller's browser that is to be stored, and its token, which is stored nowhere. */
export const newSession = (ctx: Context, userId: string): { token: string; session: NewSession } => {
  const token = newToken(limits.sessionTokenBytes);
  const session = {
    id: newId(),
    tokenHash: hashToken(token),
    userId,
    ip: ctx.ip,
    userAgent: ctx.userAgent?.slice(0, userAgentLength) ?? null,
    now: ctx.clock.now(),
  };
  return { token, session };
};
