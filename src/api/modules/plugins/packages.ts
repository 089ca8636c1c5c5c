import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { newId } from "#api/core/ids.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Installed, StoredVersion } from "./catalogue.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

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

/** Throws `CONFLICT` if someone has changed the plugin meanwhile. */
export const requireUnchanged = (now: Installed | undefined, then: Installed | null): void => {
  if (now?.row.generation !== then?.row.generation)
    throw new AppError("CONFLICT", pluginTexts.changedMeanwhile);
};

/** Prefix of packages in the object store. */
export const packagesPrefix = "packages/";

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
export const allFilesPrefix = "plugin-files/";

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
