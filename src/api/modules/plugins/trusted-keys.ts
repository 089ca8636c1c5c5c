import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { PluginSignature, PluginTier, TrustedKey } from "#contract/plugins.ts";
import type { StoredVersion } from "./catalogue.ts";
import { selectKeys, toTrustedKey } from "./store.ts";

/** All keys, the operator's first, including revoked ones. */
export const readTrustedKeys = async (
  { plugins }: Pick<Context, "plugins">,
  db: Database,
): Promise<TrustedKey[]> => {
  const pinned = new Set(plugins.pinnedKeys.map(({ keyId }) => keyId));
  const stored = (await selectKeys(db)).map(toTrustedKey);
  // Revoking overrides pinning: the row of a revoked key is the one that counts.
  const revoked = new Set(stored.filter(({ revokedAt }) => revokedAt !== null).map(({ keyId }) => keyId));
  return [
    ...plugins.pinnedKeys.filter(({ keyId }) => !revoked.has(keyId)),
    ...stored.filter(({ keyId }) => revoked.has(keyId) || !pinned.has(keyId)),
  ];
};

/**
 * The trust in a stored version by today's keys, as far as it is known without its bytes: each start verifies it again.
 */
export const currentTrust = (
  { manifest, signature }: Pick<StoredVersion, "manifest" | "signature">,
  keys: readonly TrustedKey[],
): { tier: PluginTier; signature: PluginSignature } => {
  if (signature.state === "bundled") return { tier: "bundled", signature };
  const { keyId, claimedKeyId } = signature;
  // A version that only names a key is not trusted with it, and refused if it is revoked.
  const key = keys.find(
    (one) => one.keyId === keyId || (one.keyId === claimedKeyId && one.revokedAt !== null),
  );
  if (key === undefined) {
    // The key may have been known when the package was uploaded.
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
