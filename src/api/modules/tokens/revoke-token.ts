import { requireAdmin, requireFullScope } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { changeToken } from "./change-token.ts";
import type { ApiToken, RevokeTokenInput } from "./contract.ts";
import { updateToken } from "./store.ts";

/**
 * Revokes a token: the very next call with it is refused, on every server. For whom {@link createToken} is for. Throws
 * `NOT_FOUND`, and `CONFLICT` for one that is revoked already.
 */
export const revokeToken = async (ctx: Context, { id }: RevokeTokenInput): Promise<ApiToken> => {
  requireAdmin(ctx);
  requireFullScope(ctx);
  return changeToken(ctx, {
    id,
    action: "Revoked an API token",
    severity: "high",
    change: async (tx, { state, now }) => {
      if (state === "revoked") throw new AppError("CONFLICT", tokenTexts.revokedBefore);
      await updateToken(tx, id, { revokedAt: now });
      return { columns: { revokedAt: now } };
    },
  });
};
