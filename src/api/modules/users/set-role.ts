import type { Context } from "#api/core/context.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { type AccountState, changeAccount, toAccountState } from "./change-account.ts";
import type { SetRoleInput } from "./model.ts";
import { updateRole } from "./store.ts";

/**
 * Makes a user an admin, or an admin a user; their sessions end, so that no session outlives the rights that it began
 * with. A role that they have already changes nothing. For admins and the operator. Throws `NOT_FOUND`, and `LAST_ADMIN`
 * for the only enabled admin.
 */
export const setRole = (
  ctx: Context,
  { user: handle, role }: SetRoleInput,
): Promise<{ user: AccountState; isChanged: boolean }> =>
  changeAccount(ctx, {
    handle,
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user, requireAnotherAdmin }) => {
      if (user.role === role) return { user: toAccountState(user), isChanged: false };
      if (role !== "admin") requireAnotherAdmin();
      await updateRole(tx, user.id, role, ctx.clock.now());
      await endSessionsOf(tx, user.id);
      return { user: toAccountState({ ...user, role }), isChanged: true };
    },
  });
