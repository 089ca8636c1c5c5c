import { requireAdmin, requirePerson, toUser } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import type { User } from "#contract/users.ts";
import type { CreateUserInput } from "./contract.ts";
import { insertUser, removePendingRegistrations } from "./store.ts";

/**
 * Adds a user who counts as verified and may sign in at once; unverified registrations of the address end. For admins
 * and the operator; no API token adds an admin (`SESSION_REQUIRED`). Throws a 422 for a weak password and `CONFLICT` when the address is taken.
 */
export const createUser = async (ctx: Context, input: CreateUserInput): Promise<User> => {
  requireAdmin(ctx);
  if (input.role === "admin") requirePerson(ctx);
  const name = input.name.trim();
  const email = input.email.trim();
  await checkNewPassword(ctx, input.password, { name, email });
  const passwordHash = await ctx.hasher.hash(input.password);
  const { role } = input;
  const act = {
    type: "admin_action",
    action: "Added a user",
    description: `${email} as ${role}`,
    severity: role === "admin" ? "high" : "medium",
    after: { email, role },
  } as const;
  const row = await adminAction(ctx, act, async (tx) => {
    await removePendingRegistrations(tx, emailKey(email));
    const person = { id: newId(), name, email, passwordHash, role, now: ctx.clock.now() };
    const inserted = await insertUser(tx, person);
    if (!inserted) throw emailTaken();
    return inserted;
  });
  ctx.happenings.tell({ name: "user.registered", userId: row.id });
  return toUser(row);
};

const emailTaken = () =>
  new AppError("CONFLICT", authTexts.emailTaken, {
    errors: [{ path: "email", message: authTexts.emailTaken }],
  });
