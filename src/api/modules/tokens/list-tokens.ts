import { requireAdmin, requireFullScope } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { type TokenState, tokenTexts } from "#contract/api-tokens.ts";
import type { ApiToken } from "./contract.ts";
import { findTokenById, type OwnedToken, selectTokens, type TokenRow } from "./store.ts";

/** All API tokens, the newest first, dead ones too. For admins and the operator. */
export const listTokens = async (ctx: Context): Promise<ApiToken[]> => {
  requireAdmin(ctx);
  requireFullScope(ctx);
  const now = ctx.clock.now();
  return (await selectTokens(ctx.db)).map((token) => toApiToken(token, now));
};

/** The API token that the call was made with. Throws `NOT_FOUND` for admins and the operator, who have none. */
export const getCurrentToken = async (ctx: Context): Promise<ApiToken> => {
  requireAdmin(ctx);
  if (ctx.actor.kind !== "token") throw new AppError("NOT_FOUND", tokenTexts.notCurrent);
  const found = await findTokenById(ctx.db, ctx.actor.token.id);
  if (found === null) throw new AppError("NOT_SIGNED_IN", tokenTexts.refused);
  return toApiToken(found, ctx.clock.now());
};

/** Whether a token can be used at a moment, as far as it alone is concerned. */
export const stateOf = ({ revokedAt, expiresAt }: TokenRow, now: Date): TokenState => {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
};

/** A token as every door shows it. */
export const toApiToken = ({ row, owner, isOwnerActive }: OwnedToken, now: Date): ApiToken => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  state: stateOf(row, now),
  owner:
    owner === null ? null : { id: owner.id, name: owner.name, email: owner.email, isActive: isOwnerActive },
  allowedNetworks: row.allowedNetworks,
  callsPerMinute: row.callsPerMinute,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  lastUsedIp: row.lastUsedIp,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
