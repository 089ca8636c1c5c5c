import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { PluginSignature, PluginTier, TrustedKey } from "#contract/plugins.ts";
import type { StoredVersion } from "./catalogue.ts";
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

/**
 * How a stored version is trusted by today's keys, as far as it shows without its bytes: what counts is found out anew
 * each time that it is to be started.
 */
export const currentTrust = (
  { manifest, signature }: Pick<StoredVersion, "manifest" | "signature">,
  keys: readonly TrustedKey[],
): { tier: PluginTier; signature: PluginSignature } => {
  if (signature.state === "bundled") return { tier: "bundled", signature };
  const { keyId, claimedKeyId } = signature;
  // What only names a key is trusted with none, and with a revoked one refused.
  const key = keys.find(
    (one) => one.keyId === keyId || (one.keyId === claimedKeyId && one.revokedAt !== null),
  );
  if (key === undefined) {
    // The key may have been known when the package came.
    const state = signature.state === "signed" ? "unsigned" : signature.state;
    return { tier: "unsigned", signature: { ...signature, state, publisher: null } };
  }
  const publisher = key.label;
  if (key.revokedAt !== null)
    return { tier: "unsigned", signature: { ...signature, state: "revoked", publisher } };
  const isNative = key.tier === "native" && manifest.backend?.runtime === "native";
  return {
    tier: isNative ? "native" : "verified",
    signature: { ...signature, state: "signed", publisher },
  };
};
