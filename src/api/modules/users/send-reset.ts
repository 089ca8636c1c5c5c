import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { mailResetLink } from "#api/modules/passwords/index.ts";
import { userTexts } from "#contract/user-texts.ts";
import { changeAccount } from "./change-account.ts";
import type { UserHandle } from "./contract.ts";

/**
 * Mails a user a link to choose a new password, to the stored address; older links end, and nothing else changes until
 * it is followed. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` for a disabled account.
 */
export const sendReset = async (ctx: Context, input: UserHandle): Promise<{ email: string }> => {
  const sent = await changeAccount(ctx, {
    handle: input.user,
    action: "Mailed a user a link to a new password",
    severity: "medium",
    events: [],
    change: async (tx, { user }) => {
      if (user.disabledAt !== null) throw new AppError("CONFLICT", userTexts.resetOfDisabled);
      await mailResetLink(ctx, tx, user);
      return { answer: { email: user.email }, recorded: {} };
    },
  });
  ctx.mail.wake();
  return sent;
};
