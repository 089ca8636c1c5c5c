import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { PluginLogLine } from "#contract/plugins.ts";
import { getInstalled, readCatalogue } from "./catalogue.ts";

/**
 * What a plugin logged on this server since the line with number `after`, newest last. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`.
 */
export const readLogs = async (
  ctx: Context,
  { name, after }: { name: string; after: number },
): Promise<{ replica: string; lines: PluginLogLine[] }> => {
  requireAdmin(ctx);
  getInstalled(await readCatalogue(ctx.db), name);
  return { replica: ctx.plugins.replica, lines: ctx.plugins.logs(name, after) };
};
