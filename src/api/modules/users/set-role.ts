import type { Context } from "#api/core/context.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { revokeTokensOf } from "#api/modules/tokens/index.ts";
import { changeAccount, toAccountState } from "./change-account.ts";
import type { AccountState, SetRoleInput } from "./contract.ts";
import { updateRole } from "./store.ts";

/** The user, and whether the role was another before. */
export type RoleChange = { user: AccountState; isChanged: boolean };

/**
 * Makes a user an admin, or an admin a user; their sessions and API tokens end, so that none outlives the rights that it
 * began with. A role that they have already changes nothing. For admins and the operator. Throws `NOT_FOUND`, and `LAST_ADMIN`
 * for the only enabled admin.
 */
export const setRole = (ctx: Context, { user: handle, role }: SetRoleInput): Promise<RoleChange> =>
  changeAccount<RoleChange>(ctx, {
    handle,
    action: "Changed the role of a user",
    severity: "high",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user, requireAnotherAdmin }) => {
      if (user.role === role)
        return { answer: { user: toAccountState(user), isChanged: false }, recorded: null };
      if (role !== "admin") requireAnotherAdmin();
      await updateRole(tx, user.id, role, ctx.clock.now());
      await endSessionsOf(tx, user.id);
      await revokeTokensOf(tx, user.id, ctx.clock.now());
      return {
        answer: { user: toAccountState({ ...user, role }), isChanged: true },
        recorded: {
          description: `${user.email}: ${user.role} to ${role}`,
          before: { role: user.role },
          after: { role },
        },
      };
    },
  });
