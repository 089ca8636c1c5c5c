import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { limits } from "#contract/limits.ts";
import { insertSession, type NewSession, putSession } from "./store.ts";

/** Begins a session in the caller's transaction and gives its token, which is stored nowhere. */
export const beginSession = async (ctx: Context, tx: Database, userId: string): Promise<string> => {
  const { token, session } = newSession(ctx, userId);
  await insertSession(tx, session);
  return token;
};

// Enough for any real browser; the rest of an overlong header tells nothing about it.
const userAgentLength = 500;

/** A session of the caller's browser that is to be stored, and its token, which is stored nowhere. */
const newSession = (ctx: Context, userId: string): { token: string; session: NewSession } => {
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

/** What a browser came with: the tokens of its session and of the device cookie. */
export type Browser = { sessionToken: string | null; deviceToken: string | null };

/** The session that began; whose ended for it, if any; and whether the user had signed in with this browser before. */
type ReplacedSession = { token: string; endedUserId: string | null; isKnownDevice: boolean };

/**
 * Begins a session in the caller's transaction in the place of the one that the browser had, whosever that was, and
 * notes that the device was used. Publish `sessions-ended` for `endedUserId` after the commit.
 */
export const replaceSession = async (
  ctx: Context,
  tx: Database,
  { userId, browser }: { userId: string; browser: Browser },
): Promise<ReplacedSession> => {
  const { token, session } = newSession(ctx, userId);
  const replaced = browser.sessionToken === null ? null : hashToken(browser.sessionToken);
  const device = browser.deviceToken === null ? null : hashToken(browser.deviceToken);
  return { token, ...(await putSession(tx, session, { replaced, device })) };
};
