import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { StoredVersion } from "./catalogue.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/** The package of a stored version, byte for byte. Throws `PLUGIN_START_FAILED` when it is gone. */
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
 * What a stored version is by today's keys. Throws `PLUGIN_UNTRUSTED` when it may not run here, or is not what was
 * stored, and `PLUGIN_START_FAILED` when its package is gone.
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
    // It was usable when it came: what does not verify any more is not to be trusted.
    if (!(error instanceof AppError) || error.kind !== "PLUGIN_INVALID") throw error;
    throw new AppError("PLUGIN_UNTRUSTED", error.message, { cause: error, data: error.data });
  }
};
