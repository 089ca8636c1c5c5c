import { requirePerson } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts, publisherInWords } from "#contract/plugin-texts.ts";
import type {
  Permission,
  PluginSignature,
  PluginTier,
  PublisherChange,
  TrustedKey,
} from "#contract/plugins.ts";
import { isInRange, isNewer } from "./catalogue.ts";
import {
  type Catalogue,
  dataKeyOf,
  deleteData,
  deletePlugin,
  type Installed,
  type PluginRow,
  type StoredVersion,
  selectKeys,
  toTrustedKey,
  writePlugin,
} from "./store.ts";

/** The publisher of a package: `bundled`, the id of the key that signed it, or `unsigned`. */
export const publisherOf = ({ state, keyId }: PluginSignature): string => {
  if (state === "bundled") return "bundled";
  // Of a key that is no longer known, only the id is left.
  return state === "unsigned" ? "unsigned" : (keyId ?? "unsigned");
};

/** The publisher of the plugin that has a name, or had it until it was removed. */
export const publisherOfRow = ({ isBundled, publisherKeyId }: PluginRow): string =>
  isBundled ? "bundled" : (publisherKeyId ?? "unsigned");

/** Throws `PUBLISHER_CHANGED` for a package of another publisher. */
export const requireSamePublisher = (asking: Asking, keys: readonly TrustedKey[]): void => {
  const change = publisherChange(asking, keys);
  if (change === null) return;
  const { from, to, fromName, toName } = change;
  const { title } = asking.verified.manifest;
  throw new AppError("PUBLISHER_CHANGED", pluginTexts.publisherChanged(title, fromName, toName), {
    data: { from, to },
  });
};

/**
 * The same for the active version when it is enabled. Its publisher never changes, even if the key has become known
 * since, or is no longer known.
 */
export const requireOwnPublisher = (asking: Asking, keys: readonly TrustedKey[]): void => {
  const { verified, row } = asking;
  const { claimedKeyId } = verified.signature;
  if (publisherOfRow(row) === "unsigned") return;
  if (claimedKeyId !== undefined && claimedKeyId === row.publisherKeyId) return;
  requireSamePublisher(asking, keys);
};

/** The publishers before and after, if a package changes them; `null` if it doesn't. */
export const publisherChange = (
  { verified, row }: { verified: Pick<VerifiedPackage, "signature">; row: PluginRow },
  keys: readonly TrustedKey[],
): PublisherChange | null => {
  const from = publisherOfRow(row);
  const to = publisherOf(verified.signature);
  if (from === to) return null;
  return { from, to, fromName: publisherName(from, keys), toName: publisherName(to, keys) };
};

/** Display name of a publisher. */
export const publisherName = (publisher: string, keys: readonly TrustedKey[]): string =>
  publisherInWords(publisher, keys.find(({ keyId }) => keyId === publisher)?.label ?? null);

/** Whether a row is the kept data of a plugin that was removed or replaced. */
export const isRetained = ({ removedAt, migratedVersion }: PluginRow): boolean =>
  removedAt !== null && migratedVersion !== null;

/** What is kept for a publisher under that name; `null` if nothing is. */
export const retainedOf = (catalogue: Catalogue, name: string, publisher: string): PluginRow | null =>
  retainedRows(catalogue, name).find((row) => publisherOfRow(row) === publisher) ?? null;

/** What is kept for all publishers under that name. */
export const retainedRows = ({ removed }: Catalogue, name: string): PluginRow[] =>
  [...removed.values()].filter(
    (row) => isRetained(row) && (row.name === name || row.name === retainedName(name, publisherOfRow(row))),
  );

/** What a publisher's plugin starts with: what was kept for it, or else an empty data key. */
export const beginningOf = (
  catalogue: Catalogue,
  { name, publisher, generation }: { name: string; publisher: string; generation: number },
): Pick<PluginRow, "granted" | "consentedSha256" | "settings" | "migratedVersion" | "dataKey"> => {
  const row = retainedOf(catalogue, name, publisher);
  if (row !== null) {
    const { granted, consentedSha256, settings, migratedVersion } = row;
    return { granted, consentedSha256, settings, migratedVersion, dataKey: row.dataKey };
  }
  const { installed, removed } = catalogue;
  const others = [...[...installed.values()].map((plugin) => plugin.row), ...removed.values()];
  const isTaken = others.some((other) => dataKeyOf(other) === name && !isForgotten(other));
  const dataKey = isTaken ? `${name}.${generation}` : null;
  return { granted: [], consentedSha256: null, settings: {}, migratedVersion: null, dataKey };
};

/** The row of a deleted plugin that is part of Atrium stays, without any data. */
const isForgotten = (row: PluginRow): boolean => row.removedAt !== null && !isRetained(row);

/** Keeps a plugin's data for its publisher while another publisher's plugin has its name. */
export const shelve = async (
  tx: Database,
  { removed }: Catalogue,
  { row, now }: { row: PluginRow; now: Date },
): Promise<void> => {
  const name = retainedName(row.name, publisherOfRow(row));
  const former = removed.get(name);
  if (former !== undefined) await deleteData(tx, dataKeyOf(former));
  await writePlugin(tx, {
    ...row,
    ...{ name, dataKey: dataKeyOf(row), isEnabled: false, removedAt: now, updatedAt: now },
    migratedVersion: row.migratedVersion ?? row.version,
    ...{ pendingVersion: null, pendingError: null, quarantineReason: null },
  });
};

/** Removes the row of kept data, once it belongs to the publisher's plugin again. */
export const unshelve = (tx: Database, name: string, publisher: string): Promise<void> =>
  deletePlugin(tx, retainedName(name, publisher));

/** The name of the row of data kept for a publisher: not a valid plugin name. */
const retainedName = (name: string, publisher: string): string => `${name}.${publisher}`;

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
  { manifest: { engines } }: Pick<VerifiedPackage, "manifest">,
): { path: string; message: string } | null =>
  isInRange(version, engines.atrium)
    ? null
    : { path: "engines.atrium", message: pluginTexts.engine(engines.atrium, version) };
