import { refuseTokens } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Permission } from "#contract/plugins.ts";
import { publisherOfRow } from "./publisher.ts";
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

/** A package, and what is known of its plugin. */
type Asking = {
  verified: Pick<VerifiedPackage, "manifest" | "sha256" | "signature" | "tier">;
  row: PluginRow;
};

/**
 * Whether an admin has to agree before the package runs: it asks for more than was granted, or it is unsigned and nobody
 * agreed to these very bytes. A key that is trusted later agrees to nothing: the plugin stays an unsigned one until then.
 * What is part of Atrium is never asked about.
 */
export const needsConsent = ({ verified, row }: Asking): boolean => {
  if (verified.tier === "bundled") return false;
  if (beyond(verified.manifest.permissions, row.granted).length > 0) return true;
  const isUnsigned = verified.tier === "unsigned" || publisherOfRow(row) === "unsigned";
  return isUnsigned && row.consentedSha256 !== verified.sha256;
};

/** An admin's agreement to all that a package asks for, and the package that was shown for it where that is told. */
export type Consent = { isGiven: boolean; sha256: string | null };

/** What a call says of consent. */
export type ConsentInput = { consent?: boolean | undefined; sha256?: string | undefined };

/** Reads it. Throws `SESSION_REQUIRED` for a token that consents: only someone who is there can agree to anything. */
export const consentIn = (
  ctx: Pick<Context, "actor">,
  { consent = false, sha256 }: ConsentInput,
): Consent => {
  if (consent) refuseTokens(ctx);
  return { isGiven: consent, sha256: sha256 ?? null };
};

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
