import { implement } from "#api/core/implement.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { removeToken, revokeToken } from "./change-tokens.ts";
import { tokensContract } from "./contract.ts";
import { createToken } from "./create-token.ts";
import { getCurrentToken, listTokens } from "./list-tokens.ts";
import { updateToken } from "./update-token.ts";

/** What does the operations about API tokens. */
export const tokensOperations = implement("tokens", tokensContract, {
  create: async (ctx, input) => ({ message: tokenTexts.created, data: await createToken(ctx, input) }),
  list: async (ctx) => ({ tokens: await listTokens(ctx) }),
  current: getCurrentToken,
  change: async (ctx, input) => ({ message: tokenTexts.changed, data: await updateToken(ctx, input) }),
  revoke: async (ctx, input) => ({ message: tokenTexts.revoked, data: await revokeToken(ctx, input) }),
  remove: async (ctx, input) => {
    await removeToken(ctx, input);
    return { message: tokenTexts.removed };
  },
});
