import { newApiToken, personBehind, requireAdmin, requirePerson } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId } from "#api/core/ids.ts";
import { holdPresence } from "#api/modules/account/index.ts";
import {
  includesScope,
  type TokenScope,
  tokenLimits,
  tokenScopes,
  tokenTexts,
} from "#contract/api-tokens.ts";
import type { CreateTokenInput, NewApiToken } from "./contract.ts";
import { toApiToken } from "./list-tokens.ts";
import { countLive, insertToken, lockTokens, removeSurplusTokens, type TokenRow } from "./store.ts";

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
