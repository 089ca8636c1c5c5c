import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { selectKeys, toTrustedKey } from "./keys-store.ts";

/** All keys that count, the operator's first; revoked ones are among them. */
export const readTrustedKeys = async (
  { plugins }: Pick<Context, "plugins">,
  db: Database,
): Promise<TrustedKey[]> => {
  const pinned = new Set(plugins.pinnedKeys.map(({ keyId }) => keyId));
  const stored = (await selectKeys(db)).map(toTrustedKey);
  // Revoking counts more than pinning: the row of a revoked key stays the one that is asked.
  const revoked = new Set(stored.filter(({ revokedAt }) => revokedAt !== null).map(({ keyId }) => keyId));
  return [
    ...plugins.pinnedKeys.filter(({ keyId }) => !revoked.has(keyId)),
    ...stored.filter(({ keyId }) => revoked.has(keyId) || !pinned.has(keyId)),
  ];
};
