import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { userTexts } from "#contract/user-texts.ts";
import type { UserHandle } from "./model.ts";
import { takePendingRegistrations } from "./pending-store.ts";

/**
 * Ends every registration of an address, named by it or by the id of one of them: their links no longer work. For
 * admins and the operator. Throws `NOT_FOUND` when none waits.
 */
export const removePending = async (ctx: Context, input: UserHandle): Promise<void> => {
  requireAdmin(ctx);
  await ctx.db.transaction(async (tx) => {
    const removed = await takePendingRegistrations(tx, input.user, ctx.clock.now());
    if (!removed) throw new AppError("NOT_FOUND", userTexts.registrationUnknown);
  });
};
