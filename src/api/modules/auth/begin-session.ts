import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/new-id.ts";
import { hashToken, newToken } from "#api/core/tokens.ts";
import type { Database } from "#api/db/database.ts";
import { limits } from "#contract/limits.ts";
import { insertSession } from "./store.ts";

// Enough for any real browser; the rest of an overlong header tells nothing about it.
const userAgentLength = 500;

/** Begins a session in the caller's transaction and gives its token, which is stored nowhere. */
export const beginSession = async (ctx: Context, tx: Database, userId: string): Promise<string> => {
  const token = newToken(limits.sessionTokenBytes);
  await insertSession(tx, {
    id: newId(),
    tokenHash: hashToken(token),
    userId,
    ip: ctx.ip,
    userAgent: ctx.userAgent?.slice(0, userAgentLength) ?? null,
    now: ctx.clock.now(),
  });
  return token;
};
