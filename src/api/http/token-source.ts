import { isApiToken } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { TokenFault } from "#api/door/passage.ts";
import { findChangedTokens, findToken, type StoredToken, touchToken } from "#api/modules/tokens/index.ts";
import { tokenLimits, tokenTexts } from "#contract/api-tokens.ts";
import { isWithin } from "#contract/networks.ts";
import { tryAgainIn } from "#contract/try-again-in.ts";
import { createCredentialCheck } from "./credential-check.ts";
import { createCredentialSource } from "./credential-source.ts";

/** A call that came with an API token, as far as the token is concerned. */
export type TokenCall = { token: string; ip: string; requestId: string };

/** A token that is let in, or why it is not. */
export type TokenVerdict = { token: StoredToken } | { fault: TokenFault; refusal: AppError };

/** Judges API tokens. */
export type TokenSource = {
  /** Rejects only when the database is away. */
  judge(call: TokenCall): TokenVerdict | Promise<TokenVerdict>;
  /** Notes that a token is used, at most once a minute. */
  touch(token: StoredToken, ip: string): void;
  stop(): void;
};

const faultTexts: Record<TokenFault, string> = {
  malformed: "it is none, its checksum is wrong",
  unknown: "there is none like it",
  revoked: "it was revoked",
  expired: "it has expired",
  owner: "whom it acts for is no enabled administrator",
  network: "it may not be used from there",
};

/** What a log says of a fault, and of which token where that is known. */
export const faultText = (fault: TokenFault): string => faultTexts[fault];

/**
 * Looks tokens up and remembers them as sessions are. Wrong ones are counted by network: above the bound its further ones
 * are told to wait, while good ones from there go on working, because whoever shares an address with somebody's broken
 * script must not be locked out by it.
 */
export const createTokenSource = (services: Services): TokenSource => {
  const { db, lookups, clock, log, attempts } = services;
  const source = createCredentialSource<StoredToken>(services, {
    read: (tokenHash) => findToken(lookups, tokenHash),
    // That one has ended is told from one that never was: in the logs.
    isOver: () => false,
    concerns: (event) => {
      if ("userId" in event) return ({ row }) => row.createdBy === event.userId;
      return "tokenId" in event ? ({ row }) => row.id === event.tokenId : null;
    },
    check: createCredentialCheck((seen) => findChangedTokens(lookups, seen)),
  });

  const refuse = async (
    { ip, requestId }: TokenCall,
    fault: TokenFault,
    found: StoredToken | null,
  ): Promise<TokenVerdict> => {
    const say = (): void => {
      const known = found === null ? {} : { id: found.row.id, name: found.row.name };
      log.warn("an API token was refused", { requestId, ip, reason: faultTexts[fault], ...known });
    };
    const text = fault === "malformed" ? tokenTexts.malformed : tokenTexts.refused;
    const refusal = new AppError("NOT_SIGNED_IN", text);
    if (fault !== "malformed") {
      try {
        await attempts.spend(
          placeBudgets(ip, {
            key: "api-token:",
            most: tokenLimits.failuresByNetwork,
            windowMs: tokenLimits.failureWindowMs,
            message: (waitS) => `${tokenTexts.guessedTooOften}. ${tryAgainIn(waitS)}`,
          }),
        );
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Of guesses beyond the bound the log has the calls alone; which token somebody holds that is no good stays told.
        if (found !== null) say();
        return { fault, refusal: error };
      }
    }
    say();
    return { fault, refusal };
  };

  const weigh = (call: TokenCall, found: StoredToken | null): TokenVerdict | Promise<TokenVerdict> => {
    if (found === null) return refuse(call, "unknown", null);
    const fault = faultOf(found, call.ip, clock.now());
    return fault === null ? { token: found } : refuse(call, fault, found);
  };

  return {
    judge: (call) => {
      if (!isApiToken(call.token)) return refuse(call, "malformed", null);
      const found = source.find(call.token);
      return found instanceof Promise ? found.then((one) => weigh(call, one)) : weigh(call, found);
    },
    touch: ({ row }, ip) => {
      const now = clock.now();
      if (row.lastUsedAt !== null && now.getTime() - row.lastUsedAt.getTime() < tokenLimits.touchMs) return;
      row.lastUsedAt = now;
      // The request does not wait: what is not noted now is noted at the next use.
      touchToken(db, row.id, now, ip).catch((error) =>
        log.warn("the use of an API token could not be noted", { error: describeError(error) }),
      );
    },
    stop: source.stop,
  };
};

/** What stands against a token's use from an address; `null` for nothing. */
const faultOf = ({ row, isOwnerActive }: StoredToken, ip: string, now: Date): TokenFault | null => {
  if (row.revokedAt !== null) return "revoked";
  if (row.expiresAt !== null && row.expiresAt <= now) return "expired";
  if (!isOwnerActive) return "owner";
  if (row.allowedNetworks.length === 0) return null;
  return row.allowedNetworks.some((network) => isWithin(ip, network)) ? null : "network";
};
