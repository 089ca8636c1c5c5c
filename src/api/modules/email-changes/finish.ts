import { factOf } from "#api/core/activity.ts";
import { providerLabel } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import { type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { emailChangedMail } from "#api/modules/mail/index.ts";
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
import { holdEnabledUser, removePendingRegistrations, type UserRow } from "#api/modules/users/index.ts";
import { authTexts, emailChangeTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { EmailChangeAct } from "#contract/users.ts";
import { changeLink } from "./change-email.ts";
import type { EmailChangeLink, EmailChangeOutcome, FinishInput } from "./contract.ts";
import {
  actsOf,
  type EmailChange,
  endChanges,
  findByToken,
  isTaken,
  setEmail,
  updateChange,
} from "./store.ts";

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
    (await setEmail(tx, { userId: user.id, email, key, now }));
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
