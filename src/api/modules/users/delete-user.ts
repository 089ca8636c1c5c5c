import { toUser } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { forgetSignInFailures } from "#api/modules/passwords/index.ts";
import type { User } from "#contract/users.ts";
import { changeAccount } from "./change-account.ts";
import type { UserHandle } from "./contract.ts";
import { removeUser } from "./store.ts";

/**
 * Removes a user for good, with their sessions, known browsers, links and the count of wrong passwords; gives what they were. For admins and the
 * operator. Throws `NOT_FOUND`, and `LAST_ADMIN` for the only enabled admin.
 */
export const deleteUser = (ctx: Context, input: UserHandle): Promise<User> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Deleted a user",
    severity: "high",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user, requireAnotherAdmin }) => {
      requireAnotherAdmin();
      await removeUser(tx, user.id);
      await forgetSignInFailures(tx, user.emailKey);
      const { email, role } = user;
      return { answer: toUser(user), recorded: { before: { email, role } } };
    },
  });
