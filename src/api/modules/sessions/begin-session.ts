import { requireSession } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { limits } from "#contract/limits.ts";
import type { User } from "#contract/users.ts";
import { endAfterUse, sessionTimes } from "./session-end.ts";
import { confirmSession, insertSession, type NewSession, putSession } from "./store.ts";

/** Through whom someone signed in, and what that calls its own session, if it said. */
export type ProviderSession = { provider: string; sid: string | null };

/**
 * Who a session is for; `factorAt` is when they gave a second factor, if they did; `provenAt` when they proved who they are, if that
 * was before now; `via` the provider, if it was one.
 */
type Beginning = {
  user: Pick<User, "id" | "role">;
  factorAt?: Date | null;
  provenAt?: Date;
  via?: ProviderSession | null;
};

/** The token of a session, which is stored nowhere, and how long the browser's cookie keeps it. */
export type IssuedSession = { token: string; lifeMs: number };

/** Begins a session in the caller's transaction. */
export const beginSession = async (
  ctx: Context,
  tx: Database,
  beginning: Beginning,
): Promise<IssuedSession> => {
  const { session, ...issued } = newSession(ctx, beginning);
  await insertSession(tx, session);
  return issued;
};

type Renewal = { hasFactor: boolean; provenAt?: Date; via?: ProviderSession | undefined };

/**
 * Confirms the caller's session in their transaction: it goes on under another token, and ends no later for it. `provenAt` is when they
 * proved who they are, if that was before now; `via` the provider at which they gave a second factor. `null` when it has ended. Publish `sessions-ended` after the commit.
 */
export const renewSession = async (
  ctx: Context,
  tx: Database,
  { hasFactor, provenAt = ctx.clock.now(), via }: Renewal,
): Promise<IssuedSession | null> => {
  const { user, sessionHash, begunAt } = requireSession(ctx);
  const token = newToken(limits.sessionTokenBytes);
  const now = ctx.clock.now();
  const expiresAt = endAfterUse(begunAt, now, timesOf(ctx, user));
  const proof = { confirmedAt: provenAt, ...(hasFactor ? { factorAt: provenAt } : {}) };
  const begun = via && { provider: via.provider, providerSid: via.sid };
  const change = { tokenHash: hashToken(token), ...browserOf(ctx), lastUsedAt: now, expiresAt, ...proof };
  if (!(await confirmSession(tx, sessionHash, { ...change, ...begun }))) return null;
  return { token, lifeMs: expiresAt.getTime() - now.getTime() };
};

/** The sessions of a user that have not ended, for counting and listing them. */
export const sessionsOf = (ctx: Context, user: Pick<User, "id" | "role">) => ({
  userId: user.id,
  now: ctx.clock.now(),
  times: timesOf(ctx, user),
});

const timesOf = ({ settings }: Context, { role }: Pick<User, "role">) =>
  sessionTimes(role, settings.current.accounts);

// Enough for any real browser; the rest of an overlong header tells nothing about it.
const userAgentLength = 500;

const browserOf = ({ ip, userAgent }: Context) => ({
  ip,
  userAgent: userAgent?.slice(0, userAgentLength) ?? null,
});

/** A session of the caller's browser that is to be stored. */
const newSession = (
  ctx: Context,
  { user, factorAt = null, provenAt = ctx.clock.now(), via = null }: Beginning,
): IssuedSession & { session: NewSession } => {
  const token = newToken(limits.sessionTokenBytes);
  const now = ctx.clock.now();
  const expiresAt = endAfterUse(now, now, timesOf(ctx, user));
  const session = {
    id: newId(),
    tokenHash: hashToken(token),
    userId: user.id,
    ...browserOf(ctx),
    confirmedAt: provenAt,
    factorAt,
    provider: via?.provider ?? null,
    providerSid: via?.sid ?? null,
    expiresAt,
    now,
  };
  return { token, lifeMs: expiresAt.getTime() - now.getTime(), session };
};

/** What a browser came with: the tokens of its session and of the device cookie. */
export type Browser = { sessionToken: string | null; deviceToken: string | null };

/** The session that began; whose ended for it, if any; and whether the user had signed in with this browser before. */
type ReplacedSession = IssuedSession & { endedUserId: string | null; isKnownDevice: boolean };

/**
 * Begins a session in the caller's transaction in the place of the one that the browser had, whosever that was, and
 * notes that the device was used. Publish `sessions-ended` for `endedUserId` after the commit.
 */
export const replaceSession = async (
  ctx: Context,
  tx: Database,
  { browser, ...beginning }: Beginning & { browser: Browser },
): Promise<ReplacedSession> => {
  const { session, ...issued } = newSession(ctx, beginning);
  const replaced = browser.sessionToken === null ? null : hashToken(browser.sessionToken);
  const device = browser.deviceToken === null ? null : hashToken(browser.deviceToken);
  return { ...issued, ...(await putSession(tx, session, { replaced, device })) };
};
