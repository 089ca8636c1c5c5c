import { requirePerson } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Permission } from "#contract/plugins.ts";
import type { Catalogue, Installed } from "./catalogue.ts";
import { publisherOf, publisherOfRow, retainedOf } from "./publisher.ts";
import type { PluginRow } from "./store.ts";
import { isInRange, isNewer, isRange } from "./versions.ts";

/** What is requested and not granted; of a permission with hosts or plugins, only the new ones. */
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

/** A package, and what is known about its plugin. */
type Asking = {
  verified: Pick<VerifiedPackage, "manifest" | "sha256" | "signature" | "tier">;
  row: PluginRow;
};

/**
 * Whether an admin has to consent before the package runs: it requests more than was granted, or it is unsigned and no
 * one consented to exactly these bytes. A key that is trusted later is no consent: the plugin stays unsigned until
 * then. Never for plugins that are part of Atrium.
 */
export const needsConsent = ({ verified, row }: Asking): boolean => {
  if (verified.tier === "bundled") return false;
  if (beyond(verified.manifest.permissions, row.granted).length > 0) return true;
  const isUnsigned = verified.tier === "unsigned" || publisherOfRow(row) === "unsigned";
  return isUnsigned && row.consentedSha256 !== verified.sha256;
};

/** An admin's consent to everything that a package requests, and the hash of the package that was shown, if given. */
export type Consent = { isGiven: boolean; sha256: string | null };

/** The fields of a request about consent. */
export type ConsentInput = { consent?: boolean | undefined; sha256?: string | undefined };

/** Reads it. Throws `SESSION_REQUIRED` for a token that consents: only a signed-in user can consent. */
export const consentIn = (
  ctx: Pick<Context, "actor" | "clock">,
  { consent = false, sha256 }: ConsentInput,
): Consent => {
  if (consent) requirePerson(ctx);
  return { isGiven: consent, sha256: sha256 ?? null };
};

/** Throws `CONSENT_REQUIRED` with what to consent to, if consent is missing or another package was shown. */
export const requireConsent = (consent: Consent, asking: Asking): void => {
  const { verified } = asking;
  if (consent.sha256 !== null && consent.sha256 !== verified.sha256)
    throw consentRequired(verified, pluginTexts.consentOutdated(verified.manifest.title));
  if (!consent.isGiven && needsConsent(asking)) throw consentRequired(verified);
};

/** The error that asks for consent, with what to consent to. */
export const consentRequired = (
  { manifest: { title, version, permissions }, sha256, signature }: Asking["verified"],
  message = pluginTexts.consent(title),
): AppError =>
  new AppError("CONSENT_REQUIRED", message, { data: { version, sha256, permissions, signature } });

/** A package that is about to be installed. */
type Upload = { verified: VerifiedPackage; allowDowngrade: boolean };

/** Throws what prevents storing the package at all; returns the installed plugin that it is a version of, or `null`. */
export const checkUpload = (ctx: Context, catalogue: Catalogue, upload: Upload): Installed | null => {
  const { manifest } = upload.verified;
  const { name, title } = manifest;
  const misfit = misfitOf(ctx, upload.verified);
  if (misfit !== null) throw new AppError("PLUGIN_INVALID", misfit.message, { errors: [misfit] });
  requirePersonFor(ctx, upload.verified);
  if (upload.verified.isFormer && !upload.allowDowngrade)
    throw new AppError("PLUGIN_EXISTS", pluginTexts.formerRelease(title));
  const installed = catalogue.installed.get(name) ?? null;
  const retained = retainedOf(catalogue, name, publisherOf(upload.verified.signature));
  const known = installed?.row.version ?? retained?.migratedVersion ?? null;
  const isSame = installed === null && known === manifest.version;
  if (known !== null && !isSame && !upload.allowDowngrade && !isNewer(manifest.version, known))
    throw new AppError("PLUGIN_EXISTS", pluginTexts.notNewer(title, known));
  return installed;
};

/**
 * A package of an earlier release has that release's flaws, under a name that is fully trusted: only a signed-in user
 * can go back to it. Throws `SESSION_REQUIRED`.
 */
export const requirePersonFor = (ctx: Context, { isFormer }: VerifiedPackage): void => {
  if (isFormer) requirePerson(ctx);
};

/** Why a package can't work in this version of Atrium, whatever is installed; `null` if it can. */
const misfitOf = (
  { process: { version } }: Pick<Context, "process">,
  { manifest: { engines, dependsOn } }: Pick<VerifiedPackage, "manifest">,
): { path: string; message: string } | null => {
  const ranges = { "engines.atrium": engines.atrium };
  for (const [name, range] of Object.entries(dependsOn))
    Object.assign(ranges, { [`dependsOn.${name}`]: range });
  for (const [path, range] of Object.entries(ranges))
    if (!isRange(range)) return { path, message: pluginTexts.rangeInvalid(range) };
  return isInRange(version, engines.atrium)
    ? null
    : { path: "engines.atrium", message: pluginTexts.engine(engines.atrium, version) };
};
