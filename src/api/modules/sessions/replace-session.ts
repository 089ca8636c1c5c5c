import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken } from "#api/core/ids.ts";
import { newSession } from "./new-session.ts";
import { putSession } from "./store.ts";

/** What a browser came with: the tokens of its session and of the device cookie. */
export type Browser = { sessionToken: string | null; deviceToken: string | null };

/** The session that began; whose ended for it, if any; and whether the user had signed in with this browser before. */
export type ReplacedSession = { token: string; endedUserId: string | null; isKnownDevice: boolean };

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
