import type { TokenState } from "#contract/api-tokens.ts";
import type { ApiToken } from "./contract.ts";
import type { OwnedToken, TokenRow } from "./store.ts";

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
