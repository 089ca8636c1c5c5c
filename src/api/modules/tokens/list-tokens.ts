import { requireAdmin, requireFullScope } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ApiToken } from "./contract.ts";
import { selectTokens } from "./store.ts";
import { toApiToken } from "./to-api-token.ts";

/** All API tokens, the newest first, dead ones too. For admins and the operator. */
export const listTokens = async (ctx: Context): Promise<ApiToken[]> => {
  requireAdmin(ctx);
  requireFullScope(ctx);
  const now = ctx.clock.now();
  return (await selectTokens(ctx.db)).map((token) => toApiToken(token, now));
};
