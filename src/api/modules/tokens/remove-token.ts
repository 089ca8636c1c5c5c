import { requireAdmin, requireFullScope } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { changeToken } from "./change-token.ts";
import { deleteToken } from "./store.ts";

/**
 * Removes a token that can no longer be used from the list; the activity log keeps what it did. For admins and the
 * operator. Throws `NOT_FOUND`, and `CONFLICT` for one that can be used still.
 */
export const removeToken = async (ctx: Context, { id }: { id: string }): Promise<void> => {
  requireAdmin(ctx);
  requireFullScope(ctx);
  await changeToken(ctx, {
    id,
    action: "Removed an API token",
    severity: "medium",
    change: async (tx, { state }) => {
      if (state === "live") throw new AppError("CONFLICT", tokenTexts.removeLive);
      await deleteToken(tx, id);
      return { columns: {} };
    },
  });
};
