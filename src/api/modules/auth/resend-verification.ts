import { noteActivity } from "#api/core/activity.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { atLeast } from "#api/core/timing.ts";
import { verificationMail } from "#api/modules/mail/index.ts";
import { findUserByEmailKey } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { verificationLink } from "./mailed-links.ts";
import { mayMail } from "./may-mail.ts";
import type { MessageAnswer, ResendInput } from "./model.ts";
import { spendMailRequest } from "./spend-mail-request.ts";
import { findNewestPending, findPendingOfBrowser, renewPending } from "./store.ts";

// No answer comes sooner: several times what the statements take, so that their number does not show.
const answerMs = 40;

/** A request for a new link, and the cookie `pending` that the browser came with, if any. */
export type ResendRequest = ResendInput & { browserToken?: string | null };

/**
 * Mails a new link for the registration of an address that this browser made, else for the newest; older links stay good.
 * Where there is nothing to mail, or the address may not be mailed now, or the place has asked too often, the answer is the
 * same and as slow.
 */
export const resendVerification = async (ctx: Context, input: ResendRequest): Promise<MessageAnswer> => {
  const key = emailKey(input.email);
  await atLeast(answerMs, async () => {
    if (await spendMailRequest(ctx))
      await ctx.db.transaction((tx) =>
        mailNewLink(ctx, tx, { key, browserToken: input.browserToken ?? null }),
      );
  });
  noteActivity(ctx, {
    type: "api_call",
    action: "Asked for another verification link",
    userEmail: input.email.trim(),
  });
  ctx.mail.wake();
  return { success: true, message: authTexts.resent };
};

const mailNewLink = async (
  ctx: Context,
  tx: Database,
  { key, browserToken }: { key: string; browserToken: string | null },
): Promise<void> => {
  const now = ctx.clock.now();
  const own =
    browserToken && (await findPendingOfBrowser(tx, { key, browserHash: hashToken(browserToken), now }));
  const pending = own || (await findNewestPending(tx, key, now));
  if (!pending || (await findUserByEmailKey(tx, key))) return;
  // An address that nobody registered takes no turn: asking for it would keep its owner's first mail away.
  if (!(await mayMail(ctx, tx, { turn: key, request: "resend", key, isRegistrant: Boolean(own) }))) return;
  const token = newToken(limits.mailedTokenBytes);
  const renewed = await renewPending(tx, pending.id, hashToken(token), now);
  if (!renewed) return;
  const link = verificationLink(ctx, token);
  const circumstances = {
    at: renewed.createdAt,
    ip: renewed.ip ?? "unknown",
    device: renewed.device ?? describeDevice(null),
  };
  await ctx.mail.enqueue(tx, { to: renewed.email, link, ...verificationMail({ link, ...circumstances }) });
};
