import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/new-id.ts";
import { hashToken } from "#api/core/tokens.ts";
import { insertUser } from "#api/modules/users/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import type { MessageAnswer } from "./model.ts";
import { takePending } from "./store.ts";

/**
 * Makes the user whose link was followed, with the name and password of that very registration; all other
 * registrations of the address end. Throws `TOKEN_INVALID` for a token that is unknown, used, expired or superseded,
 * and when the address got an account in the meantime. Signs nobody in.
 */
export const verifyEmail = async (ctx: Context, input: { token: string }): Promise<MessageAnswer> => {
  const now = ctx.clock.now();
  const user = await ctx.db.transaction(async (tx) => {
    const pending = await takePending(tx, hashToken(input.token), now);
    if (!pending) throw tokenInvalid();
    const { name, email, passwordHash } = pending;
    return insertUser(tx, { id: newId(), name, email, passwordHash, role: "user", now });
  });
  // Thrown after the commit: registrations of an address that has its account are of no more use.
  if (user === null) throw tokenInvalid();
  noteActivity(ctx, {
    type: "api_call",
    action: "Verified an address by a mailed link",
    userEmail: user.email,
  });
  ctx.happenings.tell({ name: "user.registered", userId: user.id });
  return { success: true, message: authTexts.verified };
};

const tokenInvalid = () => new AppError("TOKEN_INVALID", authTexts.verificationInvalid);
