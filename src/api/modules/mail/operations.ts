import type { ActivityEntry } from "#api/core/activity.ts";
import { idOfActor, personBehind, requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { AttemptBudget, Context } from "#api/core/context.ts";
import { isId, newId } from "#api/core/ids.ts";
import { implement } from "#api/core/implement.ts";
import { runTest } from "#api/modules/settings/index.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { limits } from "#contract/limits.ts";
import { mailTexts } from "#contract/mail.ts";
import { settingsTexts } from "#contract/settings.ts";
import {
  type ListMailsInput,
  type Mail,
  type MailList,
  type MailState,
  mailContract,
  type TestMailInput,
} from "./contract.ts";
import { countByStatus, findMail, holdMail, makeAllDue, makeDue, selectMails, wipeMail } from "./store.ts";
import { testMail } from "./templates/contact-mail.ts";
import { fillMail } from "./templates/layout.ts";

/**
 * Gives an email up that has not left, permanently: its text is wiped. For admins and the operator. Throws `NOT_FOUND`, and
 * `CONFLICT` for an email that has left, is being sent, or was discarded before.
 */
const discardMail = async (ctx: Context, { id }: { id: string }) => {
  const act = {
    type: "admin_action",
    action: "Discarded an email",
    severity: "medium",
    described: mailInLog,
  } as const;
  const data = await adminAction(ctx, act, async (tx) => {
    const mail = await holdMail(tx, mailId(id), ctx.clock.now());
    if (mail === null) throw unknownMail();
    if (mail.status === "sent") throw new AppError("CONFLICT", mailTexts.alreadySent);
    if (mail.isUnderWay) throw new AppError("CONFLICT", mailTexts.beingSent);
    if (!mail.canRetry) throw new AppError("CONFLICT", mailTexts.discardedBefore);
    return wipeMail(tx, mail.id, mailTexts.discardedBy);
  });
  return { message: mailTexts.discarded, data };
};

/** One email, without its content. For admins and the operator. Throws `NOT_FOUND`. */
const getMail = async (ctx: Context, { id }: { id: string }): Promise<Mail> => {
  requireAdmin(ctx);
  const mail = await findMail(ctx.db, mailId(id));
  if (mail === null) throw unknownMail();
  return mail;
};

/**
 * Emails whose recipient or subject holds `search`, newest first, behind the one with the id `before`. For admins and the
 * operator. Throws `VALIDATION_FAILED` when that one is not there any more.
 */
export const listMails = async (ctx: Context, input: ListMailsInput): Promise<MailList> => {
  requireAdmin(ctx);
  const { limit, status, before = null } = input;
  if (before !== null && !(isId(before) && (await findMail(ctx.db, before))))
    throw validationError([{ path: "before", message: mailTexts.beforeGone }]);
  const filter = { search: input.search.trim(), ...(status === undefined ? {} : { status }) };
  const { total, totalIsEstimate, ...page } = await selectMails(ctx.db, { ...filter, limit, before });
  return { ...page, pagination: { total, totalIsEstimate, limit } };
};

/** How emails leave, how that goes in this process, and how many there are. For admins and the operator. */
const readMailState = async (ctx: Context): Promise<MailState> => {
  requireAdmin(ctx);
  const { transport, server, from, health } = ctx.outbox;
  return { transport, server, from, ...health(), counts: await countByStatus(ctx.db) };
};

/** Makes every email that was given up, and not discarded, due at once. For admins and the operator. */
const retryDeadMails = async (ctx: Context) => {
  const act = {
    type: "admin_action",
    action: "Tried all dead emails again",
    described: (retried: number) =>
      retried === 0 ? null : { description: `${retried} ${retried === 1 ? "email" : "emails"}` },
  } as const;
  const retried = await adminAction(ctx, act, (tx) => makeAllDue(tx, ctx.clock.now()));
  ctx.outbox.hurry();
  return { message: mailTexts.retriedAll(retried), data: { retried } };
};

/**
 * Makes an email that waits or was given up due at once. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` for
 * an email that has left or whose text is gone.
 */
const retryMail = async (ctx: Context, { id }: { id: string }) => {
  const act = { type: "admin_action", action: "Tried an email again", described: mailInLog } as const;
  const data = await adminAction(ctx, act, async (tx) => {
    const now = ctx.clock.now();
    const mail = await holdMail(tx, mailId(id), now);
    if (mail === null) throw unknownMail();
    if (mail.status === "sent") throw new AppError("CONFLICT", mailTexts.alreadySent);
    if (!mail.canRetry) throw new AppError("CONFLICT", mailTexts.discardedBefore);
    return makeDue(tx, mail.id, now);
  });
  ctx.outbox.hurry();
  return { message: mailTexts.retried, data };
};

/**
 * Sends a real email at once, beside the outbox, and reports what each step came to; to the admin who asks unless `to` says
 * otherwise. For admins and the operator, who has no address of their own. Throws `VALIDATION_FAILED`, `CONFLICT` while
 * another test of theirs is running, `RATE_LIMITED`, and `TEST_FAILED`.
 */
const sendTestMail = async (ctx: Context, input: TestMailInput) => {
  requireAdmin(ctx);
  const by = personBehind(ctx.actor)?.email ?? null;
  const to = input.to?.trim() || by;
  if (to === null) throw validationError([{ path: "to", message: mailTexts.recipientRequired }]);
  const complaint = emailComplaint(to);
  if (complaint !== null) throw validationError([{ path: "to", message: complaint }]);
  const written = fillMail(testMail({ by, appUrl: ctx.appUrl }), ctx.settings.current.site, ctx.appUrl);
  const mail = { id: newId(), createdAt: ctx.clock.now(), to, ...written };
  return runTest(ctx, {
    action: "Tested sending emails",
    titles: { works: settingsTexts.mailWorks, fails: settingsTexts.mailFails },
    test: async () => {
      await ctx.attempts.spend(budgetsOf(ctx, to));
      return ctx.outbox.test(mail);
    },
  });
};

/** A test goes past the outbox and its limits, and to whom it goes is not asked: no one's mailbox is to be flooded with it. */
const budgetsOf = ({ actor }: Context, to: string): AttemptBudget[] => [
  {
    key: `test-mail-to:${to.toLowerCase()}`,
    most: 1,
    windowMs: limits.testMailPauseMs,
    message: mailTexts.testedJustNow,
  },
  {
    key: `test-mail-by:${idOfActor(actor)}`,
    most: limits.testMailsByAdmin,
    windowMs: limits.testMailsWindowMs,
    message: mailTexts.testedTooOften,
  },
];

/** What does the operations about emails. */
export const mailOperations = implement("mail", mailContract, {
  status: readMailState,
  get: getMail,
  list: listMails,
  retry: retryMail,
  retryAll: retryDeadMails,
  discard: discardMail,
  test: sendTestMail,
});

/** The id of an email that may exist. Throws `NOT_FOUND` for a text that is no id at all. */
const mailId = (text: string): string => {
  if (!isId(text)) throw unknownMail();
  return text;
};

/** The failure of a call for an email that is not there. */
const unknownMail = (): AppError => new AppError("NOT_FOUND", mailTexts.unknown);

/** Which email the activity log speaks of; its text is no one's business. */
const mailInLog = ({
  recipient,
  subject,
}: Pick<Mail, "recipient" | "subject">): Pick<ActivityEntry, "description"> => ({
  description: `“${subject}” to ${recipient}`,
});
