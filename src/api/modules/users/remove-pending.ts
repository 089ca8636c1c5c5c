import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { userTexts } from "#contract/user-texts.ts";
import type { UserHandle } from "./contract.ts";
import { type TakenRegistration, takePendingRegistrations } from "./pending-store.ts";

/**
 * Ends every registration of an address, named by it or by the id of one of them: their links no longer work. For
 * admins and the operator. Throws `NOT_FOUND` when none waits.
 */
export const removePending = async (ctx: Context, input: UserHandle): Promise<void> => {
  const act = {
    type: "admin_action",
    action: "Removed the registrations of an address",
    description: input.user,
    severity: "medium",
    described: ({ row }: TakenRegistration) => ({ description: row.email }),
  } as const;
  await adminAction(ctx, act, async (tx) => {
    const removed = await takePendingRegistrations(tx, input.user, ctx.clock.now());
    if (!removed) throw new AppError("NOT_FOUND", userTexts.registrationUnknown);
    return removed;
  });
};
