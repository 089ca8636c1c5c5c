import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { PackagePreview } from "#contract/plugins.ts";
import { type Catalogue, readCatalogue } from "./catalogue.ts";
import { beyond } from "./consent.ts";
import { verifyUpload } from "./install-package.ts";
import { publisherChange, publisherOf, retainedOf } from "./publisher.ts";
import { readTrustedKeys } from "./trusted-keys.ts";
import { checkUpload } from "./upload-plan.ts";
import { cycleOf, dependenciesOf } from "./versions.ts";

/**
 * Describes a package and what installing it would do; nothing is stored and nothing of it runs. For admins and the
 * operator. Throws `PLUGIN_INVALID` for a package that could never be installed.
 */
export const inspectPackage = async (
  ctx: Context,
  { bytes }: { bytes: Uint8Array },
): Promise<PackagePreview> => {
  requireAdmin(ctx);
  const verified = await verifyUpload(ctx, bytes);
  const catalogue = await readCatalogue(ctx.db);
  const { manifest, sizeBytes, files, signature, tier } = verified;
  const { name, title, version, description, type, author, permissions } = manifest;
  const row = catalogue.installed.get(name)?.row;
  const publisherChanged =
    row === undefined ? null : publisherChange({ verified, row }, await readTrustedKeys(ctx, ctx.db));
  // Another publisher's package starts with what was kept of its own.
  const retained = retainedOf(catalogue, name, publisherOf(signature));
  const granted = (publisherChanged === null ? (row ?? retained) : retained)?.granted ?? [];
  return {
    ...{ name, title, version, description, type, author, sizeBytes, files, signature, tier, permissions },
    newPermissions: tier === "bundled" ? [] : beyond(permissions, granted),
    dependencies: dependenciesOf(catalogue, manifest),
    publisherChanged,
    installedVersion: row?.version ?? null,
    ...objectionsTo(ctx, catalogue, verified),
    hasRetainedData: retained !== null,
  };
};

const objectionsTo = (
  ctx: Context,
  catalogue: Catalogue,
  verified: VerifiedPackage,
): Pick<PackagePreview, "obstacles" | "needsDowngrade"> => {
  const obstacles: string[] = [];
  let needsDowngrade = false;
  try {
    checkUpload(ctx, catalogue, { verified, allowDowngrade: false });
  } catch (error) {
    // The preview reports obstacles instead of throwing.
    if (!(error instanceof AppError)) throw error;
    needsDowngrade = error.kind === "PLUGIN_EXISTS";
    if (!needsDowngrade) obstacles.push(error.message);
  }
  if (verified.distrust !== null) obstacles.push(verified.distrust);
  const ring = cycleOf(catalogue, verified.manifest);
  if (ring.length > 0) obstacles.push(pluginTexts.cycle(verified.manifest.title, ring));
  return { obstacles, needsDowngrade };
};
