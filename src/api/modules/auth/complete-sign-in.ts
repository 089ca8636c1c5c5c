import { toUser } from "#api/core/actor.ts";
import { circumstancesOf, networkOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { newDeviceMail } from "#api/modules/mail/index.ts";
import { forgotPasswordLink } from "#api/modules/passwords/index.ts";
import { type Browser, insertDevice, replaceSession, wasSignedIn } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { limits } from "#contract/limits.ts";
import type { User } from "#contract/users.ts";
import { takeMailTurn } from "./store.ts";

export type { Browser } from "#api/modules/sessions/index.ts";

/** A sign-in that is done. The caller sets the session cookie, and the device cookie unless it is `null`: kept. */
export type SignedIn = { user: User; token: string; deviceToken: string | null };

/**
 * Ends every way of signing in, in one transaction: a session begins, the browser's older one ends, the browser is
 * remembered, and the user is mailed of one that is new to an account that was used before. `identify` finds or makes
 * the user; it locks the user's row, so that sessions which end at the same moment end for this sign-in too, and throws
 * when the user may not sign in.
 */
export const completeSignIn = async (
  ctx: Context,
  browser: Browser,
  identify: (tx: Database) => Promise<UserRow>,
): Promise<SignedIn> => {
  const done = await ctx.db.transaction(async (tx) => {
    const user = await identify(tx);
    const session = await replaceSession(ctx, tx, { userId: user.id, browser });
    const device = session.isKnownDevice ? kept : await rememberBrowser(ctx, tx, { user, ...session });
    return { ...session, ...device, user: toUser(user) };
  });
  const { user, token, deviceToken, endedUserId, isMailed } = done;
  if (endedUserId !== null) ctx.events.publish({ type: "sessions-ended", userId: endedUserId });
  if (isMailed) ctx.mail.wake();
  ctx.happenings.tell({ name: "user.login", userId: user.id });
  return { user, token, deviceToken };
};

const kept = { deviceToken: null, isMailed: false };

type Newcomer = { user: UserRow; token: string; endedUserId: string | null };

/** A token of the browser's own that was not given to this very user is never adopted: it may have been planted. */
const rememberBrowser = async (ctx: Context, tx: Database, { user, token, endedUserId }: Newcomer) => {
  const isStrange = endedUserId !== user.id && (await wasSignedIn(tx, user.id, hashToken(token)));
  const deviceToken = newToken(limits.sessionTokenBytes);
  await insertDevice(tx, { tokenHash: hashToken(deviceToken), userId: user.id, now: ctx.clock.now() });
  return { deviceToken, isMailed: isStrange && (await mailNotice(ctx, tx, user)) };
};

/** Mails the notice to the stored address; of sign-ins that would read the same, once a minute. */
const mailNotice = async (ctx: Context, tx: Database, { id, name, email }: UserRow): Promise<boolean> => {
  const circumstances = circumstancesOf(ctx);
  const turn = `new-device:${id} ${networkOf(ctx.ip)} ${circumstances.device}`;
  if (!(await takeMailTurn(tx, turn, circumstances.at))) return false;
  const resetLink = forgotPasswordLink(ctx);
  await ctx.mail.enqueue(tx, { to: email, ...newDeviceMail({ name, resetLink, ...circumstances }) });
  return true;
};
