import { AppError } from "#api/core/app-error.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Permission } from "#contract/plugins.ts";
import type { PluginRow } from "./store.ts";

/** What is asked for and not granted; of a permission with hosts or plugins only those that are new. */
export const beyond = (requested: readonly Permission[], granted: readonly Permission[]): Permission[] =>
  requested.flatMap((permission) => {
    const known = granted.find(({ name }) => name === permission.name);
    if (known === undefined) return [permission];
    const hosts = (permission.hosts ?? []).filter((host) => !known.hosts?.includes(host));
    const plugins = (permission.plugins ?? []).filter((plugin) => !known.plugins?.includes(plugin));
    if (hosts.length === 0 && plugins.length === 0) return [];
    return [
      {
        ...permission,
        ...(permission.hosts === undefined ? {} : { hosts }),
        ...(permission.plugins === undefined ? {} : { plugins }),
      },
    ];
  });

/** A package, and what is known of its plugin; `null` for a new one. */
type Asking = {
  verified: Pick<VerifiedPackage, "manifest" | "sha256" | "signature" | "tier">;
  row: PluginRow;
  /** Whether these bytes take the place of others that were agreed to. */
  isUpdate?: boolean;
};

/**
 * Whether an admin has to agree before the package runs: it asks for more than was granted, it is unsigned, or somebody
 * else signed it. What is part of Atrium is never asked about. An agreement to an unsigned plugin outlives an update that
 * asks for nothing new.
 */
export const needsConsent = ({ verified, row, isUpdate = false }: Asking): boolean => {
  if (verified.tier === "bundled") return false;
  if (beyond(verified.manifest.permissions, row.granted).length > 0) return true;
  if (row.consentedSha256 === verified.sha256) return false;
  if (isOtherPublisher({ verified, row })) return true;
  return verified.tier === "unsigned" && !(isUpdate && row.consentedSha256 !== null);
};

/** Whether somebody else signed the package than the first one of that name, or nobody did. */
export const isOtherPublisher = ({ verified, row }: Pick<Asking, "verified" | "row">): boolean =>
  row.publisherKeyId !== null && verified.signature.keyId !== row.publisherKeyId;

/** The failure that asks for consent, with what to agree to. */
export const consentRequired = ({ manifest, signature }: Asking["verified"]): AppError =>
  new AppError("CONSENT_REQUIRED", pluginTexts.consent(manifest.title), {
    data: { permissions: manifest.permissions, signature },
  });
