import { requirePerson } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Catalogue, Installed } from "./catalogue.ts";
import { publisherOf, retainedOf } from "./publisher.ts";
import { isInRange, isNewer, isRange } from "./versions.ts";

/** A package that is about to be installed. */
export type Upload = { verified: VerifiedPackage; allowDowngrade: boolean };

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
