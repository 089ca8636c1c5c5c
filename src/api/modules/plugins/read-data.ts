import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { PluginData } from "#contract/plugins.ts";
import { getInstalled, type Installed, readCatalogue } from "./catalogue.ts";
import { countData } from "./data-store.ts";
import { filesPrefix } from "./plugin-files.ts";
import { dataKeyOf } from "./store.ts";

/** How much an installed plugin has stored. For admins and the operator. Throws `PLUGIN_NOT_FOUND`. */
export const readData = async (ctx: Context, { name }: { name: string }): Promise<PluginData> => {
  requireAdmin(ctx);
  return dataOf(ctx, getInstalled(await readCatalogue(ctx.db), name));
};

/** How much a plugin has stored: what would be deleted with it. */
export const dataOf = async (
  { db, clock, objects, plugins }: Pick<Context, "db" | "clock" | "objects" | "plugins">,
  { row }: Pick<Installed, "row">,
): Promise<PluginData> => {
  const { keyBytes, ...counts } = await countData(db, { dataKey: dataKeyOf(row), now: clock.now() });
  const files = await objects.list(filesPrefix(dataKeyOf(row)));
  const fileBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    ...counts,
    files: files.length,
    fileBytes,
    settings: Object.keys(row.settings).length,
    usedBytes: keyBytes + fileBytes,
    quotaBytes: plugins.quotaBytes,
  };
};
