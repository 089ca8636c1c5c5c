import { factOf } from "#api/core/activity.ts";
import { providerLabel, requirePerson, requireSession } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import { type AttemptBudget, type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import {
  addressWantedMail,
  confirmNewEmailMail,
  emailChangedMail,
  emailChangeMail,
} from "#api/modules/mail/index.ts";
import { wantPassword } from "#api/modules/passkeys/index.ts";
import {
  forgetSignInFailures,
  removePassword,
  removeResetTokens,
  removeWaysIn,
  replaceResetToken,
  selectWaysIn,
} from "#api/modules/passwords/index.ts";
import { removeFactorsAfter } from "#api/modules/second-factors/index.ts";
import { endSessionsOf, forgetDevices } from "#api/modules/sessions/index.ts";
import {
  findUserByEmailKey,
  holdEnabledUser,
  readHandle,
  removePendingRegistrations,
  type UserRow,
} from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts, emailChangeTexts, tooManyEmailChanges, userTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { EmailChangeAct } from "#contract/users.ts";
import type {
  BeginInput,
  EmailChangeLink,
  EmailChangeOutcome,
  FinishInput,
  SetEmailInput,
} from "./contract.ts";
import {
  actsOf,
  type EmailChange,
  endChanges,
  findByToken,
  findOpenChange,
  insertChange,
  isTaken,
  setEmail as storeEmail,
  updateChange,
} from "./store.ts";

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
const changeLink = (ctx: Context, token: string): string => `${ctx.appUrl}/email-change?token=${token}`;

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

/** What the page of a link shows. Changes nothing. Throws `TOKEN_INVALID` for a link that is good for nothing. */
export const checkChangeLink = async (ctx: Context, input: { token: string }): Promise<EmailChangeLink> => {
  const found = await findByToken(ctx.db, hashToken(input.token));
  const acts = found ? actsOf(found, ctx.clock.now()) : [];
  if (!found || acts.length === 0) throw invalid();
  const { oldEmail, newEmail } = found.change;
  return { acts, oldEmail, newEmail };
};

/**
 * Does what an emailed link is followed for. Throws `TOKEN_INVALID` for a link that isn't good for it, and `CONFLICT` when the
 * address that the account would have is another's by now: then nothing changes. Of many at the same time one succeeds.
 */
export const finishChange = async (
  ctx: Context,
  { token, act }: FinishInput,
): Promise<EmailChangeOutcome> => {
  const tokenHash = hashToken(token);
  const asked = await findByToken(ctx.db, tokenHash);
  if (!asked) throw invalid();
  const { userId } = asked.change;
  const outcome = await ctx.db.transaction(async (tx) => {
    // First, as everyone does who touches registrations and users.
    for (const key of [asked.change.oldKey, asked.change.newKey])
      if (act !== "stop") await removePendingRegistrations(tx, key);
    const user = await holdEnabledUser(tx, userId);
    // Read again: it may have been finished while others held the user.
    const found = user && (await findByToken(tx, tokenHash));
    if (!found || !actsOf(found, ctx.clock.now()).includes(act)) throw invalid();
    await record(ctx, tx, { act, user });
    return acts[act](ctx, tx, { user, change: found.change });
  });
  ctx.activity.wake();
  if (outcome.state === "changed" || outcome.state === "undone") {
    ctx.events.publish({ type: "user-changed", userId });
    ctx.events.publish({ type: "sessions-ended", userId });
    ctx.mail.wake();
  }
  return outcome;
};

type Held = { user: UserRow; change: EmailChange };

const acts: Record<EmailChangeAct, (ctx: Context, tx: Database, held: Held) => Promise<EmailChangeOutcome>> =
  {
    confirm: (ctx, tx, { user, change }) =>
      goOn(ctx, tx, { user, change: { ...change, confirmedAt: change.confirmedAt ?? ctx.clock.now() } }),
    approve: (ctx, tx, { user, change }) =>
      goOn(ctx, tx, { user, change: { ...change, approvedAt: ctx.clock.now() } }),
    stop: async (ctx, tx, { change }) => {
      await updateChange(tx, change.id, { endedAt: ctx.clock.now() });
      return { state: "stopped" };
    },
    undo: async (ctx, tx, { user, change }) => {
      const now = ctx.clock.now();
      await moveTo(ctx, tx, { user, email: change.oldEmail, key: change.oldKey });
      // Not those before it: whoever changed the address again can't take the first owner's undo away.
      await endChanges(tx, user.id, { now, since: change.changedAt ?? now });
      // Whoever changed the address may have added ways in, some days before too, and knows the password.
      const since = new Date(change.createdAt.getTime() - limits.emailSilenceMs);
      const ways = await selectWaysIn(tx, { userId: user.id, now, labelOf: (id) => providerLabel(ctx, id) });
      await removeWaysIn(
        tx,
        ways.filter((way) => way.since !== null && new Date(way.since) > since),
        now,
      );
      await removeFactorsAfter(tx, user, since);
      await wantPassword(tx, user.id);
      await removePassword(tx, user.id, now);
      await endSessionsOf(tx, user.id);
      await forgetDevices(tx, user.id);
      const resetToken = newToken(limits.mailedTokenBytes);
      await replaceResetToken(tx, user.id, hashToken(resetToken), now);
      return { state: "undone", resetToken };
    },
  };

/** Changes the address if all is given that the change needs, else notes what there is. */
const goOn = async (ctx: Context, tx: Database, { user, change }: Held): Promise<EmailChangeOutcome> => {
  const now = ctx.clock.now();
  const { id, confirmedAt, approvedAt } = change;
  if (confirmedAt === null || !(isApproved(change, user, now) || approvedAt !== null)) {
    await updateChange(tx, id, { confirmedAt, approvedAt });
    return { state: "waiting" };
  }
  const asked = { id: user.id, email: user.email, change: { email: change.newEmail } };
  await runBefore(ctx, tx, "user.update", asked);
  await moveTo(ctx, tx, { user, email: change.newEmail, key: change.newKey });
  const undo = newToken(limits.mailedTokenBytes);
  // Before sessions end, and with them what waits.
  await updateChange(tx, id, { confirmedAt, approvedAt, changedAt: now, oldHash: hashToken(undo) });
  await endSessionsOf(tx, user.id, { except: ownSession(ctx, user) });
  await removeResetTokens(tx, user.id);
  const link = changeLink(ctx, undo);
  const notice = { name: user.name, newEmail: change.newEmail, link, ...circumstancesOf(ctx) };
  await ctx.mail.enqueue(tx, { to: change.oldEmail, link, ...emailChangedMail(notice) });
  return { state: "changed" };
};

/** Where the old mailbox is lost, three days without a stop count as its word, if the second factor was given. */
const isApproved = (
  { needsApproval, createdAt }: EmailChange,
  { secondFactorAt }: UserRow,
  now: Date,
): boolean =>
  !needsApproval ||
  (secondFactorAt !== null &&
    secondFactorAt <= createdAt &&
    now.getTime() - createdAt.getTime() >= limits.emailSilenceMs);

type Move = { user: UserRow; email: string; key: string };

const moveTo = async (ctx: Context, tx: Database, { user, email, key }: Move): Promise<void> => {
  const now = ctx.clock.now();
  const isDone =
    !(await isTaken(tx, { key, userId: user.id, now })) &&
    (await storeEmail(tx, { userId: user.id, email, key, now }));
  if (!isDone) throw new AppError("CONFLICT", authTexts.emailTaken);
  await forgetSignInFailures(tx, user.emailKey);
};

const ownSession = ({ actor }: Context, user: UserRow): string | null =>
  actor.kind === "user" && actor.user.id === user.id ? actor.sessionHash : null;

const record = async (ctx: Context, tx: Database, { act, user }: { act: EmailChangeAct; user: UserRow }) => {
  const severity = act === "undo" ? "critical" : "high";
  const entry = { type: "api_call", action: words[act], severity, userEmail: user.email } as const;
  await ctx.activity.record(tx, factOf(ctx, entry));
};

const words: Record<EmailChangeAct, string> = {
  confirm: "Confirmed a new email address",
  approve: "Approved the change of an email address",
  stop: "Stopped the change of an email address",
  undo: "Undid the change of an email address",
};

const invalid = () => new AppError("TOKEN_INVALID", emailChangeTexts.invalid);
