import { requireOperator } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { replacePassword } from "#api/modules/passwords/index.ts";
import { changeAccount, toAccountState, unknownUser } from "./change-users.ts";
import type { AccountState, SetPasswordInput } from "./contract.ts";
import { findUser } from "./store.ts";

/**
 * Gives a user another password; their sessions and reset links end, and an email tells. For the operator alone: admins send a reset
 * link. Throws `NOT_FOUND`, and a 422 for a weak password.
 */
export const setPassword = async (ctx: Context, input: SetPasswordInput): Promise<AccountState> => {
  requireOperator(ctx);
  const found = await findUser(ctx.db, input.user);
  if (!found) throw unknownUser();
  await checkNewPassword(ctx, input.password, found);
  const passwordHash = await ctx.hasher.hash(input.password);
  const user = await changeAccount<AccountState>(ctx, {
    handle: found.id,
    action: "Set the password of a user",
    severity: "critical",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user }) => {
      await replacePassword(ctx, tx, { user, passwordHash });
      return { answer: toAccountState(user), recorded: {} };
    },
  });
  ctx.mail.wake();
  return user;
};
