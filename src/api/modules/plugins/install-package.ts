import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { Plugin } from "#contract/plugins.ts";
import { type Installed, readCatalogue } from "./catalogue.ts";
import { installNew } from "./install-new.ts";
import { deletePackages, putPackage } from "./package-object.ts";
import { inTurn } from "./serial.ts";
import { showPlugin } from "./show-plugin.ts";
import type { InstallOutcome, StoredPackage } from "./stored-upload.ts";
import { updateInstalled } from "./update-installed.ts";
import { checkUpload } from "./upload-plan.ts";
import { notingRefusal, verifyUpload } from "./verify-upload.ts";

/** The bytes of a package; `allowDowngrade` takes an older version, and the same one again. */
export type InstallInput = { bytes: Uint8Array; allowDowngrade: boolean };

/**
 * Installs a package. A new plugin is disabled; of one that is disabled the version is replaced; of one that runs a version
 * that asks for nothing new takes over once it has started beside the old one, and any other waits; so does another
 * publisher's, whether or not the plugin is enabled. For admins and the operator. Throws `PLUGIN_INVALID`, also for a name
 * that belongs to a plugin of Atrium, `PLUGIN_EXISTS` for a version that is not newer, and `SESSION_REQUIRED` for a token with
 * what an earlier release of Atrium shipped; what is refused leaves nothing but a row in the log.
 */
export const installPackage = async (
  ctx: Context,
  { bytes, allowDowngrade }: InstallInput,
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  const verified = await notingRefusal(ctx, null, () => verifyUpload(ctx, bytes));
  const { name } = verified.manifest;
  return inTurn(ctx, name, async () => {
    const installed = await notingRefusal(ctx, name, async () =>
      checkUpload(ctx, await readCatalogue(ctx.db), { verified, allowDowngrade }),
    );
    const objectKey = await putPackage(ctx, verified, bytes);
    const { message, unused } = await install(ctx, installed, { verified, objectKey });
    await deletePackages(ctx, unused);
    await ctx.plugins.converge([name]);
    return { message, data: await showPlugin(ctx, name) };
  });
};

const install = async (
  ctx: Context,
  installed: Installed | null,
  stored: StoredPackage,
): Promise<InstallOutcome> => {
  try {
    if (installed === null) return await installNew(ctx, stored);
    return await updateInstalled(ctx, installed, stored);
  } catch (error) {
    await deleteUnlessStored(ctx, stored);
    throw error;
  }
};

/** A commit may have been made though its answer was lost: then the package stays. */
const deleteUnlessStored = async (ctx: Context, { verified, objectKey }: StoredPackage): Promise<void> => {
  try {
    const { installed } = await readCatalogue(ctx.db);
    const kept = installed.get(verified.manifest.name)?.versions ?? [];
    if (kept.some((version) => version.objectKey === objectKey)) return;
  } catch {
    // What stands in the way here is what the caller is told of already; a later start sweeps what is left.
    return;
  }
  await deletePackages(ctx, [objectKey]);
};
