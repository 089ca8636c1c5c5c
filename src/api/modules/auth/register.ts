import { noteActivity } from "#api/core/activity.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { addressTakenMail, verificationMail } from "#api/modules/mail/index.ts";
import { findUserByEmailKey } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { loginLink, verificationLink } from "./mailed-links.ts";
import { mayMail } from "./may-mail.ts";
import type { MessageAnswer, RegisterInput } from "./model.ts";
import { insertPending, prunePending } from "./store.ts";

/** What a registration keeps until its link is followed. */
type Applicant = { name: string; email: string; key: string; passwordHash: string; browserToken: string };

/**
 * Records a registration and mails its link; the address of an existing account is mailed that it has one. The answer
 * is the same in every case and costs the same work, so that nobody learns which addresses have accounts. An address
 * gets at most one mail a minute, ten an hour and thirty a day; registrations beyond that wait for a resend. The caller
 * sets the cookie `pending` from `browserToken`: it names this registration. Throws a 422 for a weak password.
 */
export const register = async (
  ctx: Context,
  input: RegisterInput,
): Promise<{ answer: MessageAnswer; browserToken: string }> => {
  const name = input.name.trim();
  const email = input.email.trim();
  await checkNewPassword(input.password, { name, email });
  const passwordHash = await ctx.hasher.hash(input.password);
  // Always a new one: what the browser came with may have been planted.
  const browserToken = newToken(limits.sessionTokenBytes);
  const applicant = { name, email, key: emailKey(email), passwordHash, browserToken };
  await ctx.db.transaction((tx) => apply(ctx, tx, applicant));
  noteActivity(ctx, { type: "api_call", action: "Asked to register", userEmail: email });
  ctx.mail.wake();
  return { answer: { success: true, message: authTexts.registered }, browserToken };
};

// Registrations without a link are of use to a resend alone, which takes the newest: older ones only fill the disk.
const keptWithoutLink = 20;

// The statements are the same, whether or not the address has an account: their number must not tell.
const apply = async (
  ctx: Context,
  tx: Database,
  { name, email, key, passwordHash, browserToken }: Applicant,
): Promise<void> => {
  const circumstances = circumstancesOf(ctx);
  const now = circumstances.at;
  const isTurn = await mayMail(ctx, tx, { turn: key, request: "register", key });
  const owner = await findUserByEmailKey(tx, key);
  const token = newToken(limits.mailedTokenBytes);
  const isLinked = isTurn && owner === null;
  // Beside an account the row has ended before it begins.
  const expiresAt = owner ? now : new Date(now.getTime() + limits.verificationTokenMs);
  await insertPending(tx, {
    id: newId(),
    name,
    email,
    emailKey: key,
    passwordHash,
    tokenHash: isLinked ? hashToken(token) : null,
    mailedAt: isLinked ? now : null,
    browserHash: hashToken(browserToken),
    ip: circumstances.ip,
    device: circumstances.device,
    expiresAt,
    createdAt: now,
  });
  if (!isTurn) return prunePending(tx, key, keptWithoutLink);
  const link = verificationLink(ctx, token);
  await ctx.mail.enqueue(
    tx,
    owner
      ? {
          to: owner.email,
          ...addressTakenMail({ name: owner.name, loginLink: loginLink(ctx), ...circumstances }),
        }
      : { to: email, link, ...verificationMail({ link, ...circumstances }) },
  );
};
