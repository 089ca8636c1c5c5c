import { idOfActor, personBehind, requireAdmin } from "#api/core/actor.ts";
import { validationError } from "#api/core/app-error.ts";
import type { AttemptBudget, Context } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import { runTest } from "#api/modules/settings/index.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { limits } from "#contract/limits.ts";
import { mailTexts } from "#contract/mail.ts";
import { settingsTexts } from "#contract/settings.ts";
import type { TestMailInput } from "./contract.ts";
import { testMail } from "./templates/contact-mail.ts";
import { fillMail } from "./templates/layout.ts";

/**
 * Sends a real email at once, beside the outbox, and reports what each step came to; to the admin who asks unless `to` says
 * otherwise. For admins and the operator, who has no address of their own. Throws `VALIDATION_FAILED`, `CONFLICT` while
 * another test of theirs is running, `RATE_LIMITED`, and `TEST_FAILED`.
 */
export const sendTestMail = async (ctx: Context, input: TestMailInput) => {
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
