import type { PluginSignature, PluginTier, TrustedKey } from "#contract/plugins.ts";
import type { StoredVersion } from "./catalogue.ts";

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
