import { AppError } from "#api/core/app-error.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Permission, PublisherChange, TrustedKey } from "#contract/plugins.ts";
import type { StoredVersion } from "./catalogue.ts";
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
  /** The version whose place it takes; `null` when it is in force already. */
  replaced: Pick<StoredVersion, "sha256" | "signature"> | null;
};

/**
 * Whether an admin has to agree before the package runs: it asks for more than was granted, it is unsigned, or somebody
 * else signed it. What is part of Atrium is never asked about. An agreement to an unsigned plugin outlives an update that
 * asks for nothing new.
 */
export const needsConsent = ({ verified, row, replaced }: Asking): boolean => {
  if (verified.tier === "bundled") return false;
  if (beyond(verified.manifest.permissions, row.granted).length > 0) return true;
  if (row.consentedSha256 === verified.sha256) return false;
  if (isOtherPublisher({ verified, row })) return true;
  return verified.tier === "unsigned" && !outlives({ verified, row, replaced });
};

/**
 * Whether the agreement to the version in force is one to the package, too. One to bytes that are not in force any more, as
 * it is kept with a plugin's data, is not; nor one where a publisher is claimed whom nobody can tell from another.
 */
const outlives = ({ verified, row, replaced }: Asking): boolean =>
  replaced !== null &&
  replaced.sha256 === row.consentedSha256 &&
  [verified, replaced].every(({ signature }) => signature.claimedKeyId === undefined);

/** Whether what an admin agreed to before holds for the package, so that it need not be asked for. */
export const isAgreedAlready = (asking: Asking): boolean =>
  asking.row.consentedSha256 !== null &&
  asking.row.consentedSha256 === (asking.replaced ?? asking.verified).sha256 &&
  !needsConsent(asking);

/** Whether somebody else signed the package than the first one of that name, or nobody did. */
export const isOtherPublisher = ({ verified, row }: Pick<Asking, "verified" | "row">): boolean =>
  row.publisherKeyId !== null && verified.signature.keyId !== row.publisherKeyId;

/** Who signed the plugin until now, where that is why an admin has to agree to the package. */
export const publisherChange = (
  { verified, row }: Pick<Asking, "verified" | "row">,
  keys: readonly TrustedKey[],
): PublisherChange | null => {
  if (verified.tier === "bundled" || row.consentedSha256 === verified.sha256) return null;
  if (!isOtherPublisher({ verified, row })) return null;
  return { from: keys.find(({ keyId }) => keyId === row.publisherKeyId)?.label ?? null };
};

/** An admin's agreement to all that a package asks for, and the package that was shown for it where that is told. */
export type Consent = { isGiven: boolean; sha256: string | null };

/** What a call says of consent. */
export type ConsentInput = { consent?: boolean | undefined; sha256?: string | undefined };

/** Reads it. */
export const consentIn = ({ consent = false, sha256 }: ConsentInput): Consent => ({
  isGiven: consent,
  sha256: sha256 ?? null,
});

/** Throws `CONSENT_REQUIRED` with what to agree to, where nobody did, or where another package was shown. */
export const requireConsent = (consent: Consent, asking: Asking): void => {
  const { verified } = asking;
  if (consent.sha256 !== null && consent.sha256 !== verified.sha256)
    throw consentRequired(verified, pluginTexts.consentOutdated(verified.manifest.title));
  if (!consent.isGiven && needsConsent(asking)) throw consentRequired(verified);
};

/** The failure that asks for consent, with what to agree to. */
export const consentRequired = (
  { manifest: { title, version, permissions }, sha256, signature }: Asking["verified"],
  message = pluginTexts.consent(title),
): AppError =>
  new AppError("CONSENT_REQUIRED", message, { data: { version, sha256, permissions, signature } });
