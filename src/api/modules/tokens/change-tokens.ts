import type { ActivityEntry } from "#api/core/activity.ts";
import { requireAdmin, requireFullScope } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import { type TokenState, tokenTexts } from "#contract/api-tokens.ts";
import type { ApiToken, RevokeTokenInput } from "./contract.ts";
import { stateOf, toApiToken } from "./list-tokens.ts";
import {
  deleteToken,
  findTokenById,
  lockTokens,
  type OwnedToken,
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
