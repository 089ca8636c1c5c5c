import { digestOf } from "#api/core/digest-of.ts";
import type { TrustedKey } from "#contract/plugins.ts";

/** The keys that the operator pinned: they may sign any plugin, for the sandbox. */
export const pinnedKeys = (publicKeys: readonly string[]): TrustedKey[] =>
  publicKeys.map((given) => {
    // The configuration takes base64url, too.
    const raw = Buffer.from(given, "base64");
    return {
      keyId: digestOf(raw),
      publicKey: raw.toString("base64"),
      label: "PLUGIN_TRUSTED_KEYS",
      tier: "verified",
      names: ["*"],
      notBefore: null,
      notAfter: null,
      revokedAt: null,
      source: "environment",
      addedBy: null,
      createdAt: null,
    };
  });
