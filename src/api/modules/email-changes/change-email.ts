import { factOf } from "#api/core/activity.ts";
import { requirePerson, requireSession } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import { type AttemptBudget, type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { addressWantedMail, confirmNewEmailMail, emailChangeMail } from "#api/modules/mail/index.ts";
import { findUserByEmailKey, holdEnabledUser, readHandle, type UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts, emailChangeTexts, tooManyEmailChanges, userTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { BeginInput, SetEmailInput } from "./contract.ts";
import { endChanges, findOpenChange, insertChange, isTaken } from "./store.ts";

/**
 * Begins to change the caller's address: links are emailed to both. What is done and answered is the same whether or not the new one is
 * taken; its owner is then emailed instead. Throws `CONFLICT` for their present address and while another change waits, which
 * don't count, and `RATE_LIMITED` after three a day.
 */
export const beginChange = async (ctx: Context, input: BeginInput): Promise<void> => {
  const { user } = requireSession(ctx);
  const budget: AttemptBudget = {
    key: `email-change:${user.id}`,
    most: limits.emailChangesInADay,
    windowMs: 24 * 60 * 60 * 1000,
    message: tooManyEmailChanges,
  };
  const email = input.email.trim();
  await ctx.db.transaction(async (tx) => {
    const held = await holdEnabledUser(tx, user.id);
    if (!held) throw new AppError("NOT_SIGNED_IN");
    if (await findOpenChange(tx, user.id, ctx.clock.now()))
      throw new AppError("CONFLICT", emailChangeTexts.anotherWaits);
    refuseSame(held, email);
    // After what is refused, before what depends on whether the address is taken: that must not show.
    await ctx.attempts.spend([budget]);
    const isCareful = held.role === "admin" || ctx.settings.current.accounts.emailChange === "both";
    await begin(ctx, tx, { user: held, email, needsApproval: isCareful });
    const entry = {
      type: "api_call",
      action: "Asked to change their own email address",
      severity: "medium",
    } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
  });
  ctx.activity.wake();
  ctx.mail.wake();
};

/**
 * Begins to change a user's address, in the place of a change that waits: for one who lost their mailbox, so the present address need
 * not approve. For admins, who give their second factor, and the operator. Throws `NOT_FOUND`, and `CONFLICT` when the new
 * address is the present one or taken.
 */
export const setEmail = async (ctx: Context, input: SetEmailInput): Promise<{ email: string }> => {
  requirePerson(ctx);
  const email = input.email.trim();
  const act = {
    type: "admin_action",
    action: "Began to change the email address of a user",
    description: input.user,
    severity: "high",
    described: (user: UserRow) => ({
      description: user.email,
      before: { email: user.email },
      after: { email },
    }),
  } as const;
  await adminAction(ctx, act, async (tx) => {
    const user = await holdNamed(tx, input.user);
    refuseSame(user, email);
    const now = ctx.clock.now();
    if (await isTaken(tx, { key: emailKey(email), userId: user.id, now }))
      throw new AppError("CONFLICT", authTexts.emailTaken);
    await endChanges(tx, user.id, { now });
    await begin(ctx, tx, { user, email, needsApproval: false });
    return user;
  });
  ctx.mail.wake();
  return { email };
};

const refuseSame = (user: UserRow, email: string): void => {
  if (emailKey(email) === user.emailKey) throw new AppError("CONFLICT", emailChangeTexts.same);
};

const holdNamed = async (tx: Database, handle: string): Promise<UserRow> => {
  const read = readHandle(handle);
  const id = read && ("id" in read ? read.id : (await findUserByEmailKey(tx, read.key))?.id);
  const user = id ? await holdEnabledUser(tx, id) : null;
  if (!user) throw new AppError("NOT_FOUND", userTexts.unknown);
  return user;
};

type Begin = { user: UserRow; email: string; needsApproval: boolean };

const begin = async (ctx: Context, tx: Database, { user, email, needsApproval }: Begin): Promise<void> => {
  const now = ctx.clock.now();
  const key = emailKey(email);
  await runBefore(ctx, tx, "user.update", { id: user.id, email: user.email, change: { email } });
  const [newMail, oldMail] = [newToken(limits.mailedTokenBytes), newToken(limits.mailedTokenBytes)];
  const lifeMs = needsApproval ? limits.emailApprovalMs : limits.verificationTokenMs;
  await insertChange(tx, {
    ...{ id: newId(), userId: user.id, oldEmail: user.email, oldKey: user.emailKey },
    ...{
      newEmail: email,
      newKey: key,
      newHash: hashToken(newMail),
      oldHash: hashToken(oldMail),
      needsApproval,
    },
    ...{ createdAt: now, expiresAt: new Date(now.getTime() + lifeMs) },
  });
  const link = changeLink(ctx, newMail);
  const owner = await findUserByEmailKey(tx, key);
  const isFree = !(await isTaken(tx, { key, userId: user.id, now }));
  // A link to a taken address would tell whoever follows it that it is.
  if (isFree)
    await ctx.mail.enqueue(tx, { to: email, link, ...confirmNewEmailMail({ link, needsApproval }) });
  else if (owner) {
    const notice = { name: owner.name, loginLink: `${ctx.appUrl}/login`, ...circumstancesOf(ctx) };
    await ctx.mail.enqueue(tx, { to: owner.email, ...addressWantedMail(notice) });
  }
  const oldLink = changeLink(ctx, oldMail);
  const notice = { name: user.name, newEmail: email, link: oldLink, needsApproval, ...circumstancesOf(ctx) };
  await ctx.mail.enqueue(tx, { to: user.email, link: oldLink, ...emailChangeMail(notice) });
};

/** The page of both links. */
export const changeLink = (ctx: Context, token: string): string =>
  `${ctx.appUrl}/email-change?token=${token}`;

/** Stops the caller's own change that waits. Throws `NOT_FOUND` without one. */
export const stopOwnChange = async (ctx: Context): Promise<void> => {
  const { user } = requireSession(ctx);
  await ctx.db.transaction(async (tx) => {
    if (!(await holdEnabledUser(tx, user.id))) throw new AppError("NOT_SIGNED_IN");
    if ((await endChanges(tx, user.id, { now: ctx.clock.now() })) === 0)
      throw new AppError("NOT_FOUND", emailChangeTexts.noneWaits);
    const entry = {
      type: "api_call",
      action: "Stopped the change of their email address",
      severity: "medium",
    } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
  });
  ctx.activity.wake();
};
