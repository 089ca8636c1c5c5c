import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/new-id.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { runTest } from "#api/modules/settings/index.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { mailTexts } from "#contract/mail.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { TestMailInput } from "./model.ts";
import { testMail } from "./templates/test-mail.ts";

/**
 * Sends a real mail at once, beside the outbox, and reports what each step came to; to the admin who asks unless `to` says
 * otherwise. For admins and the operator, who has no address of their own. Throws `VALIDATION_FAILED`, `CONFLICT` while
 * another test of theirs is running, and `TEST_FAILED`.
 */
export const sendTestMail = async (ctx: Context, input: TestMailInput) => {
  requireAdmin(ctx);
  const by = ctx.actor.kind === "user" ? ctx.actor.user.email : null;
  const to = input.to?.trim() || by;
  if (to === null) throw validationError([{ path: "to", message: mailTexts.recipientRequired }]);
  const complaint = emailComplaint(to);
  if (complaint !== null) throw validationError([{ path: "to", message: complaint }]);
  const mail = { id: newId(), createdAt: ctx.clock.now(), to, ...testMail({ by, appUrl: ctx.appUrl }) };
  return runTest(ctx, {
    action: "Tested sending mails",
    titles: { works: settingsTexts.mailWorks, fails: settingsTexts.mailFails },
    test: () => ctx.outbox.test(mail),
  });
};
