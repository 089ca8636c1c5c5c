import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { getInstalled, readCatalogue } from "./catalogue.ts";
import { readStoredPackage } from "./stored-package.ts";

/**
 * The package of a plugin's version in force, exactly as it was uploaded. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`, and `PLUGIN_START_FAILED` when the package is gone.
 */
export const downloadPlugin = async (
  ctx: Context,
  { name }: { name: string },
): Promise<{ fileName: string; bytes: Uint8Array }> => {
  requireAdmin(ctx);
  const { current } = getInstalled(await readCatalogue(ctx.db), name);
  // The name is the manifest's, of letters, digits and hyphens alone.
  return { fileName: `${current.plugin}-plugin.zip`, bytes: await readStoredPackage(ctx, current) };
};
