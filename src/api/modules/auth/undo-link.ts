import { factOf } from "#api/core/activity.ts";
import { accountLink, providerLabel } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { providerUnlinkedMail } from "#api/modules/mail/index.ts";
import { replaceResetToken } from "#api/modules/passwords/index.ts";
import { endSessionsOf, forgetDevices } from "#api/modules/sessions/index.ts";
import { canSignIn, holdEnabledUser } from "#api/modules/users/index.ts";
import { linkUndoTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { LinkUndo, LinkUndone } from "./contract.ts";
import { findLinkUndo, removeLink } from "./provider-store.ts";

/** Which provider the link of an email would unlink. Changes nothing. Throws `TOKEN_INVALID` for a link that is good for nothing. */
export const checkLinkUndo = async (ctx: Context, { token }: { token: string }): Promise<LinkUndo> => {
  const { provider } = await findLinked(ctx, ctx.db, token);
  return { provider: providerLabel(ctx, provider) };
};

/**
 * Removes the identity that the link of an email is about and ends all sessions: whoever linked it may be signed in. Where nothing
 * else opens the account, resolves to a token that sets a password. Throws `TOKEN_INVALID`; of many at the same time one succeeds.
 */
export const undoLink = async (ctx: Context, { token }: { token: string }): Promise<LinkUndone> => {
  const { userId } = await findLinked(ctx, ctx.db, token);
  const resetToken = await ctx.db.transaction(async (tx) => {
    const user = await holdEnabledUser(tx, userId);
    if (!user) throw invalid();
    // Read again: it may have been unlinked while others held the user.
    const { provider } = await findLinked(ctx, tx, token);
    const label = providerLabel(ctx, provider);
    await removeLink(tx, userId, provider, ctx.clock.now());
    await endSessionsOf(tx, userId);
    await forgetDevices(tx, userId);
    const action = `Unlinked ${label} with the link of an email`;
    const entry = { type: "api_call", action, severity: "high", userEmail: user.email } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
    const notice = {
      name: user.name,
      provider: label,
      accountLink: accountLink(ctx),
      ...circumstancesOf(ctx),
    };
    await ctx.mail.enqueue(tx, { to: user.email, ...providerUnlinkedMail(notice) });
    return (await canSignIn(ctx, tx, userId)) ? undefined : newResetToken(ctx, tx, userId);
  });
  ctx.activity.wake();
  ctx.mail.wake();
  ctx.events.publish({ type: "user-changed", userId });
  ctx.events.publish({ type: "sessions-ended", userId });
  return resetToken === undefined ? {} : { resetToken };
};

const findLinked = async (ctx: Context, db: Database, token: string) => {
  const since = new Date(ctx.clock.now().getTime() - limits.linkUndoMs);
  const found = await findLinkUndo(db, hashToken(token), since);
  if (!found) throw invalid();
  return found;
};

const newResetToken = async (ctx: Context, tx: Database, userId: string): Promise<string> => {
  const token = newToken(limits.mailedTokenBytes);
  await replaceResetToken(tx, userId, hashToken(token), ctx.clock.now());
  return token;
};

const invalid = () => new AppError("TOKEN_INVALID", linkUndoTexts.invalid);
