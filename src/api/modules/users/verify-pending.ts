import { toUser } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { userTexts } from "#contract/user-texts.ts";
import type { User } from "#contract/users.ts";
import type { UserHandle } from "./contract.ts";
import { takePendingRegistrations } from "./pending-store.ts";
import { insertUser, type UserRow } from "./store.ts";

/**
 * Makes a user of a registration as if its link had been followed: of the very one that an id names, or of the only one
 * of an address. All others of the address end. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` when the
 * address got an account in the meantime, or several registrations: any of them may be a stranger's.
 */
export const verifyPending = async (ctx: Context, input: UserHandle): Promise<User> => {
  const now = ctx.clock.now();
  const act = {
    type: "admin_action",
    action: "Verified a registration",
    description: input.user,
    severity: "medium",
    described: (made: UserRow | null) => {
      if (made === null)
        return { status: "failure", description: `${input.user}: ${authTexts.emailTaken}` } as const;
      const { email, role } = made;
      return { description: email, after: { email, role } };
    },
  } as const;
  const user = await adminAction(ctx, act, async (tx) => {
    const taken = await takePendingRegistrations(tx, input.user, now);
    if (!taken) throw new AppError("NOT_FOUND", userTexts.registrationUnknown);
    if (taken.isOneOfSeveral) throw new AppError("CONFLICT", userTexts.severalRegistrations);
    const { name, email, passwordHash } = taken.row;
    return insertUser(tx, { id: newId(), name, email, passwordHash, role: "user", now });
  });
  // Thrown after the commit: registrations of an address that has its account are of no more use.
  if (!user) throw new AppError("CONFLICT", authTexts.emailTaken);
  ctx.happenings.tell({ name: "user.registered", userId: user.id });
  return toUser(user);
};
