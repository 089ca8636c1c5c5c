import type { Services } from "#api/core/context.ts";
import { removeOldCeremonies } from "#api/modules/passkeys/index.ts";
import { removeOldSignInFailures } from "#api/modules/passwords/index.ts";
import {
  removeOldDevices,
  removeSurplusDevices,
  removeSurplusSessions,
} from "#api/modules/sessions/index.ts";
import { limits } from "#contract/limits.ts";
import { removeExpiredStates } from "./provider-store.ts";
import { removeExpired } from "./store.ts";

/**
 * Removes sessions, registrations, tokens, email turns, states of social sign-ins and challenges for passkeys that have ended, browsers that no one
 * signed in with for a year, and wrong passwords of addresses without an account that are a month old. Of what still
 * counts only sessions and browsers are touched: each user keeps the hundred last used.
 */
export const sweepExpired = async ({ db, clock, events }: Services): Promise<void> => {
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await removeExpired(db, now);
  await removeExpiredStates(db, now);
  await removeOldCeremonies(db, now);
  await removeOldDevices(db, ago(limits.deviceMs));
  await removeSurplusDevices(db);
  for (const userId of await removeSurplusSessions(db)) events.publish({ type: "sessions-ended", userId });
  await removeOldSignInFailures(db, ago(limits.signInFailuresKeptMs));
};
