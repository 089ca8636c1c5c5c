import { personBehind } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { newApiToken } from "#api/core/api-token.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/new-id.ts";
import { requireAdmin, requireFullScope } from "#api/core/require-actor.ts";
import { hashToken } from "#api/core/tokens.ts";
import { holdPresence } from "#api/modules/account/index.ts";
import {
  includesScope,
  type TokenScope,
  tokenLimits,
  tokenScopes,
  tokenTexts,
} from "#contract/api-tokens.ts";
import type { CreateTokenInput, NewApiToken } from "./contract.ts";
import { checkBounds, ownBounds, type Terms } from "./own-bounds.ts";
import { countLive, insertToken, lockTokens, removeSurplusTokens, type TokenRow } from "./store.ts";
import { toApiToken } from "./to-api-token.ts";

const dayMs = 24 * 60 * 60 * 1000;
const hintLength = 4;

/**
 * Makes an API token that acts for the caller; the answer is the only place where it ever stands. For admins, for the
 * operator, and for tokens that may do everything, which give away no more than they have. Throws a 422 for an expiry that
 * has passed or is too far, `CONFLICT` for a name that is taken and when there are too many, and `FORBIDDEN`.
 */
export const createToken = async (ctx: Context, input: CreateTokenInput): Promise<NewApiToken> => {
  requireAdmin(ctx);
  requireFullScope(ctx);
  const now = ctx.clock.now();
  const asked = input.expiresAt === undefined ? undefined : expiryOf(input.expiresAt, now);
  const name = input.name.trim();
  const token = newApiToken();
  const owner = personBehind(ctx.actor);
  const usual = new Date(now.getTime() + tokenLimits.defaultDays * dayMs);
  const termsOf = (own: Terms): Terms => ({
    allowedNetworks: input.allowedNetworks ?? own.allowedNetworks,
    callsPerMinute: input.callsPerMinute === undefined ? own.callsPerMinute : input.callsPerMinute,
    expiresAt: asked === undefined ? earlier(usual, own.expiresAt) : asked,
  });
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
      const checked = async (): Promise<Terms> => {
        const own = await ownBounds(ctx, tx);
        const terms = termsOf(own);
        checkBounds(own, terms);
        await checkRoom(tx, { name, except: null, now });
        return terms;
      };
      // Whoever is refused anyway waits for nobody.
      await checked();
      await lockTokens(tx);
      const made: TokenRow = {
        id: newId(),
        name,
        tokenHash: hashToken(token),
        hint: token.slice(-hintLength),
        scopes: plainScopes(input.scopes),
        createdBy: owner?.id ?? null,
        createdAt: now,
        ...(await checked()),
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

const earlier = (one: Date, other: Date | null): Date => (other !== null && other < one ? other : one);

/** Each scope once, in the order of the list, without those that another one includes. */
const plainScopes = (given: readonly TokenScope[]): TokenScope[] => {
  const isIncluded = (scope: TokenScope) => given.some((other) => includesScope(other, scope));
  return tokenScopes.filter((scope) => given.includes(scope) && !isIncluded(scope));
};
