import { personBehind } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { isFactorRequired } from "#api/core/password-policy.ts";
import { countRecoveryCodes } from "#api/modules/second-factors/index.ts";
import type { AccountSettings } from "#contract/core-settings.ts";
import { roles } from "#contract/users.ts";
import { beginGrace, hasSecondFactor } from "./store.ts";

/**
 * Where a change requires a second factor of more users than before, gives them the time to set one up from now on. Throws
 * `SECOND_FACTOR_FIRST` for an admin who has none, or no recovery codes: nobody locks themselves out. The operator passes.
 */
export const requireFactorOfMore = async (
  ctx: Context,
  tx: Database,
  { before, after }: { before: AccountSettings; after: AccountSettings },
): Promise<void> => {
  const newly = roles.filter((role) => isFactorRequired(role, after) && !isFactorRequired(role, before));
  if (newly.length === 0) return;
  const person = personBehind(ctx.actor);
  if (person !== null) {
    const isReady = (await hasSecondFactor(tx, person.id)) && (await countRecoveryCodes(tx, person.id)) > 0;
    if (!isReady) throw new AppError("SECOND_FACTOR_FIRST");
  }
  await beginGrace(tx, newly, ctx.clock.now());
};
