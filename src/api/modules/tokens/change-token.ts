import type { ActivityEntry } from "#api/core/activity.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import { type TokenState, tokenTexts } from "#contract/api-tokens.ts";
import type { ApiToken } from "./contract.ts";
import { findTokenById, lockTokens, type OwnedToken, type TokenRow } from "./store.ts";
import { stateOf, toApiToken } from "./to-api-token.ts";

/** A token that nobody else changes until the transaction ends. */
export type HeldToken = OwnedToken & { state: TokenState; now: Date };

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
