import type { Context } from "#api/core/context.ts";
import { changeAccount, toAccountState } from "./change-account.ts";
import type { AccountState, UserHandle } from "./contract.ts";
import { updateDisabledAt } from "./store.ts";

/** Lets a disabled user sign in again. For admins and the operator. Throws `NOT_FOUND`. */
export const enableUser = (ctx: Context, input: UserHandle): Promise<AccountState> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Enabled a user",
    severity: "high",
    events: ["user-changed"],
    change: async (tx, { user }) => {
      if (user.disabledAt === null) return { answer: toAccountState(user), recorded: null };
      await updateDisabledAt(tx, user.id, null, ctx.clock.now());
      return {
        answer: toAccountState({ ...user, disabledAt: null }),
        recorded: { before: { disabled: true }, after: { disabled: false } },
      };
    },
  });
