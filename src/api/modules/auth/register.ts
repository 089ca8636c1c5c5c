import { atLeast } from "#api/core/at-least.ts";
import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/new-id.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { hashToken, newToken } from "#api/core/tokens.ts";
import type { Database } from "#api/db/database.ts";
import { addressTakenMail, verificationMail } from "#api/modules/mail/index.ts";
import { findUserByEmailKey } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { addressAnswerMs } from "./answer-times.ts";
import { loginLink, verificationLink } from "./mailed-links.ts";
import type { MessageAnswer, RegisterInput } from "./model.ts";
import { insertPending, prunePending, takeMailTurn } from "./store.ts";

/** What a registration keeps until its link is followed. */
type Applicant = { name: string; email: string; key: string; passwordHash: string };

/**
 * Notes a registration and mails its link; the address of an existing account is mailed that it has one. The answer
 * is the same in every case and as slow, so that nobody learns which addresses have accounts. An address gets at most
 * one mail a minute; registrations in between wait for a resend. Throws a 422 for a weak password.
 */
export const register = async (ctx: Context, input: RegisterInput): Promise<MessageAnswer> => {
  const name = input.name.trim();
  const email = input.email.trim();
  await checkNewPassword(input.password, { name, email });
  const passwordHash = await ctx.hasher.hash(input.password);
  const applicant = { name, email, key: emailKey(email), passwordHash };
  await atLeast(addressAnswerMs, () => ctx.db.transaction((tx) => apply(ctx, tx, applicant)));
  ctx.mail.wake();
  return { success: true, message: authTexts.registered };
};

const apply = async (ctx: Context, tx: Database, applicant: Applicant): Promise<void> => {
  const isTurn = await takeMailTurn(tx, applicant.key, ctx.clock.now());
  const owner = await findUserByEmailKey(tx, applicant.key);
  if (!owner) return addPending(ctx, tx, applicant, isTurn);
  if (!isTurn) return;
  const mail = addressTakenMail({ name: owner.name, loginLink: loginLink(ctx) });
  await ctx.mail.enqueue(tx, { to: owner.email, ...mail });
};

// Registrations without a link are of use to a resend alone, which takes the newest: older ones only fill the disk.
const keptWithoutLink = 20;

const addPending = async (
  ctx: Context,
  tx: Database,
  applicant: Applicant,
  isTurn: boolean,
): Promise<void> => {
  const { name, email, key, passwordHash } = applicant;
  const now = ctx.clock.now();
  const token = newToken(limits.mailedTokenBytes);
  await insertPending(tx, {
    id: newId(),
    name,
    email,
    emailKey: key,
    passwordHash,
    tokenHash: isTurn ? hashToken(token) : null,
    mailedAt: isTurn ? now : null,
    expiresAt: new Date(now.getTime() + limits.verificationTokenMs),
    createdAt: now,
  });
  if (!isTurn) return prunePending(tx, key, keptWithoutLink);
  const link = verificationLink(ctx, token);
  await ctx.mail.enqueue(tx, { to: email, link, ...verificationMail({ name, link }) });
};
