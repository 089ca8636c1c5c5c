import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import type { ApiToken } from "./contract.ts";
import { findTokenById } from "./store.ts";
import { toApiToken } from "./to-api-token.ts";

/** The API token that the call was made with. Throws `NOT_FOUND` for admins and the operator, who have none. */
export const getCurrentToken = async (ctx: Context): Promise<ApiToken> => {
  requireAdmin(ctx);
  if (ctx.actor.kind !== "token") throw new AppError("NOT_FOUND", tokenTexts.notCurrent);
  const found = await findTokenById(ctx.db, ctx.actor.token.id);
  if (found === null) throw new AppError("NOT_SIGNED_IN", tokenTexts.refused);
  return toApiToken(found, ctx.clock.now());
};
