import type { Context } from "#api/core/context.ts";
import { removeResetTokens } from "#api/modules/passwords/index.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { revokeTokensOf } from "#api/modules/tokens/index.ts";
import { changeAccount, toAccountState } from "./change-account.ts";
import type { AccountState, UserHandle } from "./contract.ts";
import { updateDisabledAt } from "./store.ts";

/**
 * Shuts a user out: all sessions, API tokens and mailed links to a new password end, and nobody signs in to the account until it is
 * enabled. One that is disabled already stays so. For admins and the operator. Throws `NOT_FOUND`, and `LAST_ADMIN` for
 * the only enabled admin.
 */
export const disableUser = (ctx: Context, input: UserHandle): Promise<AccountState> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Disabled a user",
    severity: "high",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user, requireAnotherAdmin }) => {
      requireAnotherAdmin();
      const now = ctx.clock.now();
      // Nobody signs in to a disabled account and no link is mailed for one: there is nothing left to end.
      if (user.disabledAt !== null) return { answer: toAccountState(user), recorded: null };
      await updateDisabledAt(tx, user.id, now, now);
      await endSessionsOf(tx, user.id);
      await removeResetTokens(tx, user.id);
      await revokeTokensOf(tx, user.id, now);
      return {
        answer: toAccountState({ ...user, disabledAt: now }),
        recorded: { before: { disabled: false }, after: { disabled: true } },
      };
    },
  });
