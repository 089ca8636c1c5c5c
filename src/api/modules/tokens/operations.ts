import { requireAdmin, requirePerson } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { implement } from "#api/core/implement.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import {
  changeToken,
  checkRoom,
  createToken,
  getCurrentToken,
  listTokens,
  removeToken,
  revokeToken,
} from "./change-tokens.ts";
import { type ApiToken, type ChangeTokenInput, tokensContract } from "./contract.ts";
import { type TokenRow, updateToken as writeToken } from "./store.ts";

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

type Changeable = Pick<TokenRow, "name" | "allowedNetworks" | "callsPerMinute">;

/**
 * Renames a token, or says again from where and how often it may be used; its scopes and its end stay as they are. For whom
 * {@link createToken} is for. Throws `NOT_FOUND`, `CONFLICT` for a name that is taken and for a token that cannot be used
 * any more.
 */
const updateToken = async (ctx: Context, { id, ...input }: ChangeTokenInput): Promise<ApiToken> => {
  requireAdmin(ctx);
  requirePerson(ctx);
  return changeToken(ctx, {
    id,
    action: "Changed an API token",
    severity: "medium",
    change: async (tx, { row, state, now }) => {
      if (state !== "live") throw new AppError("CONFLICT", tokenTexts.changeDead);
      const before = termsOf(row);
      const after: Changeable = {
        name: input.name?.trim() ?? row.name,
        allowedNetworks: input.allowedNetworks ?? row.allowedNetworks,
        callsPerMinute: input.callsPerMinute === undefined ? row.callsPerMinute : input.callsPerMinute,
      };
      if (JSON.stringify(before) === JSON.stringify(after)) return null;
      await checkRoom(tx, { name: after.name, except: id, now });
      await writeToken(tx, id, after);
      return { columns: after, recorded: { before, after } };
    },
  });
};

const termsOf = ({ name, allowedNetworks, callsPerMinute }: Changeable): Changeable => ({
  name,
  allowedNetworks,
  callsPerMinute,
});
