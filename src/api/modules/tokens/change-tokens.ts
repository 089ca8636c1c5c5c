import type { ActivityEntry } from "#api/core/activity.ts";
import { newApiToken, personBehind, requireAdmin, requireFullScope, requirePerson } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId } from "#api/core/ids.ts";
import { holdPresence } from "#api/modules/account/index.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import {
  includesScope,
  type TokenScope,
  type TokenState,
  tokenLimits,
  tokenScopes,
  tokenTexts,
} from "#contract/api-tokens.ts";
import type { ApiToken, CreateTokenInput, NewApiToken, RevokeTokenInput } from "./contract.ts";
import {
  countLive,
  deleteToken,
  findTokenById,
  insertToken,
  lockTokens,
  type OwnedToken,
  removeSurplusTokens,
  selectTokens,
  type TokenRow,
  updateToken,
} from "./store.ts";

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

/** A token that no one else changes until the transaction ends. */
type HeldToken = OwnedToken & { state: TokenState; now: Date };

type TokenChange = {
  id: string;
  action: string;
  severity: ActivitySeverity;
  /** Makes the change; the columns that it changed, and what the log says besides the name. `null`: nothing changed. */
  change: (
    tx: Database,
    held: HeldToken,
  ) => Promise<{ columns: Partial<TokenRow>; recorded?: Pick<ActivityEntry, "before" | "after"> } | null>;
};

type Outcome = { held: HeldToken; row: TokenRow; recorded: Partial<ActivityEntry> | null };

/**
 * Changes one token and records it, then tells every part of every replica, so that it counts on the very next call. For
 * admins and the operator. Throws `NOT_FOUND` for a token that is not there.
 */
export const changeToken = async (
  ctx: Context,
  { id, action, severity, change }: TokenChange,
): Promise<ApiToken> => {
  const { held, row } = await adminAction<Outcome>(
    ctx,
    {
      type: "admin_action",
      action,
      severity,
      description: id,
      described: ({ recorded }) => recorded,
      events: (outcome) =>
        outcome.recorded === null ? [] : [{ type: "token-changed", tokenId: outcome.row.id }],
    },
    async (tx) => {
      await lockTokens(tx);
      const owned = await findTokenById(tx, id);
      if (owned === null) throw new AppError("NOT_FOUND", tokenTexts.unknown);
      const now = ctx.clock.now();
      const token = { ...owned, state: stateOf(owned.row, now), now };
      const made = await change(tx, token);
      if (made === null) return { held: token, row: owned.row, recorded: null };
      const recorded = { description: owned.row.name, ...made.recorded };
      return { held: token, row: { ...owned.row, ...made.columns }, recorded };
    },
  );
  return toApiToken({ ...held, row }, held.now);
};

const dayMs = 24 * 60 * 60 * 1000;
const hintLength = 4;

/**
 * Makes an API token that acts for the caller; the answer is the only place where it ever stands. For admins and the
 * operator, and for no token (`SESSION_REQUIRED`). Throws a 422 for an expiry that has passed or is too far, and `CONFLICT`
 * for a name that is taken and when there are too many.
 */
export const createToken = async (ctx: Context, input: CreateTokenInput): Promise<NewApiToken> => {
  requireAdmin(ctx);
  requirePerson(ctx);
  const now = ctx.clock.now();
  const usual = new Date(now.getTime() + tokenLimits.defaultDays * dayMs);
  const expiresAt = input.expiresAt === undefined ? usual : expiryOf(input.expiresAt, now);
  const name = input.name.trim();
  const token = newApiToken();
  const owner = personBehind(ctx.actor);
  const row = await adminAction<TokenRow>(
    ctx,
    {
      type: "admin_action",
      action: "Created an API token",
      severity: "high",
      description: name,
      described: ({ id, scopes, expiresAt, allowedNetworks, callsPerMinute }) => ({
        after: { id, scopes, expiresAt, allowedNetworks, callsPerMinute },
      }),
    },
    async (tx) => {
      await holdPresence(ctx, tx);
      const free = () => checkRoom(tx, { name, except: null, now });
      // Whoever is refused anyway waits for no one.
      await free();
      await lockTokens(tx);
      await free();
      const made: TokenRow = {
        id: newId(),
        name,
        tokenHash: hashToken(token),
        hint: token.slice(-hintLength),
        scopes: plainScopes(input.scopes),
        createdBy: owner?.id ?? null,
        createdAt: now,
        expiresAt,
        allowedNetworks: input.allowedNetworks ?? [],
        callsPerMinute: input.callsPerMinute ?? null,
        ...{ lastUsedAt: null, lastUsedIp: null, revokedAt: null },
      };
      await removeSurplusTokens(tx, tokenLimits.deadTokens, now);
      await insertToken(tx, made);
      return made;
    },
  );
  return { ...toApiToken({ row, owner, isOwnerActive: true }, now), token };
};

/** Throws `CONFLICT` when the name is taken, and for a new token when there are as many as there may be. */
export const checkRoom = async (
  tx: Database,
  wanted: { name: string; except: string | null; now: Date },
): Promise<void> => {
  const { live, isNameTaken } = await countLive(tx, wanted);
  if (isNameTaken)
    throw new AppError("CONFLICT", tokenTexts.nameTaken, {
      errors: [{ path: "name", message: tokenTexts.nameTaken }],
    });
  if (wanted.except === null && live >= tokenLimits.liveTokens)
    throw new AppError("CONFLICT", tokenTexts.tooMany);
};

const expiryOf = (text: string | null, now: Date): Date | null => {
  if (text === null) return null;
  const complain = (message: string) => validationError([{ path: "expiresAt", message }]);
  const expiry = new Date(text);
  if (Number.isNaN(expiry.getTime())) throw complain(tokenTexts.badExpiry);
  if (expiry <= now) throw complain(tokenTexts.expiryPast);
  if (expiry.getTime() - now.getTime() > tokenLimits.mostDays * dayMs) throw complain(tokenTexts.expiryFar);
  return expiry;
};

/** Each scope once, in the order of the list, without those that another one includes. */
const plainScopes = (given: readonly TokenScope[]): TokenScope[] => {
  const isIncluded = (scope: TokenScope) => given.some((other) => includesScope(other, scope));
  return tokenScopes.filter((scope) => given.includes(scope) && !isIncluded(scope));
};

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
const stateOf = ({ revokedAt, expiresAt }: TokenRow, now: Date): TokenState => {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
};

/** A token as every door shows it. */
const toApiToken = ({ row, owner, isOwnerActive }: OwnedToken, now: Date): ApiToken => ({
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
