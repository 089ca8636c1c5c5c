import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { limits } from "#contract/limits.ts";
import { confirmSession, insertSession, type NewSession, putSession } from "./store.ts";

/** Who a session is for; `factorAt` is when they gave a second factor, if they did. */
type Beginning = { userId: string; factorAt?: Date | null };

/** Begins a session in the caller's transaction and gives its token, which is stored nowhere. */
export const beginSession = async (ctx: Context, tx: Database, beginning: Beginning): Promise<string> => {
  const { token, session } = newSession(ctx, beginning);
  await insertSession(tx, session);
  return token;
};

/**
 * Confirms a session in the caller's transaction: it goes on under another token, which is stored nowhere. `null` when it has
 * ended. Publish `sessions-ended` after the commit.
 */
export const renewSession = async (
  ctx: Context,
  tx: Database,
  { sessionHash, hasFactor }: { sessionHash: string; hasFactor: boolean },
): Promise<string | null> => {
  const token = newToken(limits.sessionTokenBytes);
  const now = ctx.clock.now();
  const factor = hasFactor ? { factorAt: now } : {};
  const change = { tokenHash: hashToken(token), ...browserOf(ctx), now, ...factor };
  return (await confirmSession(tx, sessionHash, change)) ? token : null;
};

// Enough for any real browser; the rest of an overlong header tells nothing about it.
const userAgentLength = 500;

const browserOf = ({ ip, userAgent }: Context) => ({
  ip,
  userAgent: userAgent?.slice(0, userAgentLength) ?? null,
});

/** A session of the caller's browser that is to be stored, and its token, which is stored nowhere. */
const newSession = (
  ctx: Context,
  { userId, factorAt = null }: Beginning,
): { token: string; session: NewSession } => {
  const token = newToken(limits.sessionTokenBytes);
  const session = {
    id: newId(),
    tokenHash: hashToken(token),
    userId,
    ...browserOf(ctx),
    factorAt,
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
  { browser, ...beginning }: Beginning & { browser: Browser },
): Promise<ReplacedSession> => {
  const { token, session } = newSession(ctx, beginning);
  const replaced = browser.sessionToken === null ? null : hashToken(browser.sessionToken);
  const device = browser.deviceToken === null ? null : hashToken(browser.deviceToken);
  return { token, ...(await putSession(tx, session, { replaced, device })) };
};
