import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { isWithin } from "#contract/networks.ts";
import { findTokenById, type TokenRow } from "./store.ts";
import { stateOf } from "./to-api-token.ts";

/** What bounds a token in what it may make of others. */
export type Terms = Pick<TokenRow, "expiresAt" | "allowedNetworks" | "callsPerMinute">;

const unbounded: Terms = { expiresAt: null, allowedNetworks: [], callsPerMinute: null };

/**
 * The terms of the API token that acts, none for people and the operator. Ask within the transaction of the change, behind
 * the lock on tokens. Throws `NOT_SIGNED_IN` for one that was revoked a moment ago.
 */
export const ownBounds = async ({ actor, clock }: Context, tx: Database): Promise<Terms> => {
  if (actor.kind !== "token") return unbounded;
  const own = await findTokenById(tx, actor.token.id);
  if (own === null || stateOf(own.row, clock.now()) !== "live")
    throw new AppError("NOT_SIGNED_IN", tokenTexts.refused);
  return own.row;
};

/** Throws `FORBIDDEN` for terms that reach beyond those of the token that sets them. */
export const checkBounds = (own: Terms, next: Terms): void => {
  const forbid = (text: string) => {
    throw new AppError("FORBIDDEN", text);
  };
  if (own.expiresAt !== null && (next.expiresAt === null || next.expiresAt > own.expiresAt))
    forbid(tokenTexts.beyondOwnExpiry);
  const isInside = (network: string) => own.allowedNetworks.some((outer) => isWithin(network, outer));
  const isBound = own.allowedNetworks.length > 0;
  if (isBound && !(next.allowedNetworks.length > 0 && next.allowedNetworks.every(isInside)))
    forbid(tokenTexts.beyondOwnNetworks);
  const { callsPerMinute } = next;
  if (own.callsPerMinute !== null && (callsPerMinute === null || callsPerMinute > own.callsPerMinute))
    forbid(tokenTexts.beyondOwnCalls);
};
