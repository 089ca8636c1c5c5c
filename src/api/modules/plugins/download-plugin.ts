import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { BytesDownload } from "#api/modules/download.ts";
import { getInstalled, readCatalogue } from "./catalogue.ts";
import { readStoredPackage } from "./stored-package.ts";

/**
 * The package of a plugin's version in force, exactly as it was uploaded. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`, and `PLUGIN_START_FAILED` when the package is gone.
 */
export const downloadPlugin = async (ctx: Context, { name }: { name: string }): Promise<BytesDownload> => {
  requireAdmin(ctx);
  const { current } = getInstalled(await readCatalogue(ctx.db), name);
  const bytes = await readStoredPackage(ctx, current);
  return {
    // The name is the manifest's, of letters, digits and hyphens alone.
    ...{ fileName: `${current.plugin}-plugin.zip`, contentType: "application/zip" },
    sizeBytes: bytes.byteLength,
    bytes: whole(bytes),
  };
};

const whole = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
};
