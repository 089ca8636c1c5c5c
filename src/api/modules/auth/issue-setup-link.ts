import type { Services } from "#api/core/context.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { hasUsers } from "#api/modules/users/index.ts";
import { limits } from "#contract/limits.ts";
import { replaceSetupToken } from "./store.ts";

/**
 * The link that creates the first admin, good once and for an hour; older ones end. `null` as soon as anybody has an
 * account.
 */
export const issueSetupLink = async ({ db, clock, appUrl }: Services): Promise<string | null> => {
  if (await hasUsers(db)) return null;
  const token = newToken(limits.mailedTokenBytes);
  await db.transaction((tx) => replaceSetupToken(tx, hashToken(token), clock.now()));
  return `${appUrl}/setup?token=${token}`;
};
