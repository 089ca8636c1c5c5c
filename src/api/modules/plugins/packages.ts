import { AppError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { digestOf, newId } from "#api/core/ids.ts";
import type { BundledPlugin, VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { isNewer } from "./catalogue.ts";
import {
  adoptPublisher,
  type Catalogue,
  dataKeyOf,
  lockPlugins,
  nextGeneration,
  readCatalogue,
  type StoredVersion,
  storedManifest,
  updatePlugin,
  updateSignature,
  writePlugin,
  writeVersion,
} from "./store.ts";
import { isRetained, readTrustedKeys } from "./trust.ts";

/** The package of a stored version, byte for byte. Throws `PLUGIN_START_FAILED` if it is missing. */
export const readStoredPackage = async (
  { plugins, objects }: Pick<Context, "plugins" | "objects">,
  { plugin, objectKey, manifest }: Pick<StoredVersion, "plugin" | "objectKey" | "manifest">,
): Promise<Uint8Array> => {
  const bytes =
    objectKey === null
      ? await plugins.bundled.find((bundled) => bundled.name === plugin)?.packed()
      : await objects.get(objectKey);
  if (!bytes) throw new AppError("PLUGIN_START_FAILED", pluginTexts.packageMissing(manifest.title));
  return bytes;
};

/**
 * Verifies a stored version with today's keys. Throws `PLUGIN_UNTRUSTED` if it may not run here, or differs from what
 * was stored, and `PLUGIN_START_FAILED` if its package is missing.
 */
export const verifyStored = async (
  ctx: Pick<Context, "db" | "plugins" | "objects">,
  version: StoredVersion,
): Promise<VerifiedPackage> => {
  const bytes = await readStoredPackage(ctx, version);
  const verified = await readAgain(ctx, bytes, version.uploadedAt);
  const { sha256, manifest } = version;
  const isBundled = version.objectKey === null && verified.tier === "bundled";
  if (verified.sha256 !== sha256 && !isBundled)
    throw new AppError("PLUGIN_UNTRUSTED", pluginTexts.packageAltered(manifest.title));
  if (verified.distrust !== null) throw new AppError("PLUGIN_UNTRUSTED", verified.distrust);
  return verified;
};

const readAgain = async (
  ctx: Pick<Context, "db" | "plugins">,
  bytes: Uint8Array,
  storedAt: Date,
): Promise<VerifiedPackage> => {
  try {
    return await ctx.plugins.read(bytes, { keys: await readTrustedKeys(ctx, ctx.db), storedAt });
  } catch (error) {
    // It was valid when it was uploaded; if it can't be verified any more, it is not to be trusted.
    if (!(error instanceof AppError) || error.kind !== "PLUGIN_INVALID") throw error;
    throw new AppError("PLUGIN_UNTRUSTED", error.message, { cause: error, data: error.data });
  }
};

/** A package in the store (or, without a key, in the executable) that is about to become a version of a plugin. */
export type StoredPackage = { verified: VerifiedPackage; objectKey: string | null };

/** The result: a message, and keys of packages that are no longer referenced. */
export type InstallOutcome = { message: string; unused: (string | null)[] };

/** Prefix of packages in the object store. */
const packagesPrefix = "packages/";

/**
 * Stores a package before it is referenced, and returns its key. No other upload has that key, not even one of the same
 * bytes, so that a refused upload can delete what it stored.
 */
export const putPackage = async (
  { objects }: Pick<Context, "objects">,
  { manifest: { name, version }, sha256 }: VerifiedPackage,
  bytes: Uint8Array,
): Promise<string> => {
  const key = `${packagesPrefix}${name}/${version}-${sha256.slice(0, 12)}-${newId().slice(-8)}.zip`;
  await objects.put(key, bytes, { contentType: "application/zip" });
  return key;
};

/** Deletes packages that are no longer referenced. */
export const deletePackages = async (
  { objects, log }: Pick<Context, "objects" | "log">,
  keys: readonly (string | null)[],
): Promise<void> => {
  for (const key of keys) {
    if (key === null) continue;
    try {
      await objects.delete(key);
    } catch (error) {
      // A later start deletes what is left.
      log.warn("an unused plugin package could not be deleted", { key, error: describeError(error) });
    }
  }
};

/** Prefix of the files that plugins write to the object store, in a folder per data key. */
const allFilesPrefix = "plugin-files/";

/** Prefix of one plugin's files. */
export const filesPrefix = (dataKey: string): string => `${allFilesPrefix}${dataKey}/`;

/** Deletes all files that a plugin wrote. */
export const deleteFiles = async (
  { objects, log }: Pick<Context, "objects" | "log">,
  dataKey: string,
): Promise<void> => {
  try {
    for (const { key } of await objects.list(filesPrefix(dataKey))) await objects.delete(key);
  } catch (error) {
    // The plugin is already gone; a later start deletes what is left.
    log.warn("files of a deleted plugin are left", { plugin: dataKey, error: describeError(error) });
  }
};

// A running upload has stored its package, but not referenced it yet.
const youngestMs = 60 * 60 * 1_000;

/**
 * Deletes packages that no version references, and files of deleted plugins, which a killed server can leave behind.
 */
export const sweepPackages = async (services: Services): Promise<void> => {
  const { db, objects, clock } = services;
  const isOld = ({ createdAt }: { createdAt: Date }): boolean =>
    clock.now().getTime() - createdAt.getTime() > youngestMs;
  // Listed before the table is read, so that packages stored meanwhile are not included.
  const packages = (await objects.list(packagesPrefix)).filter(isOld);
  const files = (await objects.list(allFilesPrefix)).filter(isOld);
  const { installed, removed } = await readCatalogue(db);
  const needed = new Set(
    [...installed.values()].flatMap(({ versions }) => versions.map(({ objectKey }) => objectKey)),
  );
  await deletePackages(
    services,
    packages.map(({ key }) => key).filter((key) => !needed.has(key)),
  );
  const owners = new Set(files.map(({ key }) => key.slice(allFilesPrefix.length).split("/")[0] ?? ""));
  const kept = new Set([
    ...[...installed.values()].map(({ row }) => dataKeyOf(row)),
    ...[...removed.values()].filter(isRetained).map(dataKeyOf),
  ]);
  for (const owner of owners) if (!kept.has(owner)) await deleteFiles(services, owner);
};

/**
 * Updates the table of plugins to what is part of this executable: unknown plugins are installed, older versions
 * updated. A plugin that an admin deleted stays deleted, and one that was replaced by another package is not changed.
 */
export const syncBundled = async (services: Services): Promise<void> => {
  const { db, plugins, activity, events } = services;
  const packed = new Map<string, Uint8Array>();
  for (const bundled of due(plugins.bundled, await readCatalogue(db)))
    packed.set(bundled.name, await bundled.packed());
  if (packed.size === 0) return;
  const generation = await db.transaction(async (tx) => {
    await lockPlugins(tx);
    // Another replica may have done it already.
    const catalogue = await readCatalogue(tx);
    const left = due(plugins.bundled, catalogue);
    if (left.length === 0) return null;
    const next = await nextGeneration(tx);
    for (const bundled of left) {
      const bytes = packed.get(bundled.name);
      if (bytes !== undefined) await install(services, tx, { bundled, bytes, generation: next, catalogue });
    }
    return next;
  });
  activity.wake();
  if (generation !== null) events.publish({ type: "plugins-changed", generation });
};

const due = (bundled: readonly BundledPlugin[], { installed, removed }: Catalogue): BundledPlugin[] =>
  bundled.filter(({ name, version }) => {
    if (removed.has(name)) return false;
    const row = installed.get(name)?.row;
    return row === undefined || (row.isBundled && isNewer(version, row.version));
  });

type Install = { bundled: BundledPlugin; bytes: Uint8Array; generation: number; catalogue: Catalogue };

const install = async (
  { clock, activity }: Services,
  tx: Database,
  { bundled, bytes, generation, catalogue }: Install,
): Promise<void> => {
  const { manifest, isEnabledAtFirst } = bundled;
  const { name, version, permissions: granted } = manifest;
  const now = clock.now();
  await writeVersion(tx, {
    ...{ plugin: name, version, sha256: digestOf(bytes), sizeBytes: bytes.byteLength, objectKey: null },
    manifest: storedManifest(manifest),
    signature: { state: "bundled", keyId: null, publisher: null, signedAt: null },
    ...{ uploadedBy: null, uploadedAt: now, activatedAt: now },
  });
  const known = catalogue.installed.get(name);
  if (known === undefined)
    await writePlugin(tx, {
      ...{ name, version, generation, granted, isBundled: true, isEnabled: isEnabledAtFirst },
      migratedVersion: isEnabledAtFirst ? version : null,
      ...{ installedAt: now, updatedAt: now },
    });
  else await updatePlugin(tx, name, { version, generation, granted, updatedAt: now });
  await activity.record(tx, {
    entry: {
      type: known === undefined ? "plugin_installed" : "plugin_updated",
      action: known === undefined ? "Installed a plugin of Atrium" : "Updated a plugin of Atrium",
      description: `${manifest.title} ${version}`,
      pluginName: name,
    },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at: now,
  });
};

/**
 * Verifies the stored versions that name a key which was unknown when they were uploaded and is trusted now, so that
 * their origin is shown. What they may do is determined at each start and doesn't depend on this.
 */
export const renewSignatures = async (
  services: Pick<Services, "db" | "plugins" | "objects">,
): Promise<void> => {
  const { db } = services;
  const keys = await readTrustedKeys(services, db);
  const trusted = new Set(keys.filter(({ revokedAt }) => revokedAt === null).map(({ keyId }) => keyId));
  for (const { versions } of (await readCatalogue(db)).installed.values())
    for (const version of versions)
      if (trusted.has(version.signature.claimedKeyId ?? "")) await renew(services, version);
};

const renew = async (
  services: Pick<Services, "db" | "plugins" | "objects">,
  version: StoredVersion,
): Promise<void> => {
  try {
    const { signature } = await verifyStored(services, version);
    await updateSignature(services.db, { ...version, signature });
    await adoptPublisher(services.db, { ...version, signature });
  } catch (error) {
    // It is still shown as a claim, and enabling it reports what is wrong.
    if (!(error instanceof AppError)) throw error;
  }
};
