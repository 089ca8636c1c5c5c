import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Plugin } from "#contract/plugins.ts";
import { readCatalogue } from "./catalogue.ts";
import { installNew } from "./install-new.ts";
import { inTurn } from "./serial.ts";
import { showPlugin } from "./show-plugin.ts";
import { notingRefusal, verifyUpload } from "./verify-upload.ts";

/**
 * Installs a plugin that is part of Atrium again after it was deleted; disabled. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND` for one that is not part of it, and `CONFLICT` for one that is installed.
 */
export const restorePlugin = async (
  ctx: Context,
  { name }: { name: string },
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  return inTurn(ctx, name, async () => {
    const { verified, title } = await notingRefusal(ctx, name, async () => {
      const bundled = ctx.plugins.bundled.find((plugin) => plugin.name === name);
      if (bundled === undefined) throw new AppError("PLUGIN_NOT_FOUND", pluginTexts.notBundled);
      const own = bundled.manifest.title;
      if ((await readCatalogue(ctx.db)).installed.has(name))
        throw new AppError("CONFLICT", pluginTexts.installedAlready(own));
      return { verified: await verifyUpload(ctx, await bundled.packed()), title: own };
    });
    await installNew(ctx, { verified, objectKey: null });
    await ctx.plugins.converge([name]);
    return { message: pluginTexts.restored(title), data: await showPlugin(ctx, name) };
  });
};
