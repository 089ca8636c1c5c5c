import type { Context } from "#api/core/context.ts";
import type { Plugin, PublicPlugin } from "#contract/plugins.ts";
import { readCatalogue } from "./catalogue.ts";
import { toPlugin, toPublicPlugin } from "./to-plugin.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/**
 * The plugins in the order of their names: for admins and the operator all of them with everything, for anybody else the
 * enabled ones with what everybody may know.
 */
export const listPlugins = async (ctx: Context): Promise<(Plugin | PublicPlugin)[]> => {
  const installed = [...(await readCatalogue(ctx.db)).installed.values()];
  if (!isAdmin(ctx)) return installed.filter(({ row }) => row.isEnabled).map(toPublicPlugin);
  const keys = await readTrustedKeys(ctx, ctx.db);
  return installed.map((plugin) => toPlugin(ctx, plugin, keys));
};

const isAdmin = ({ actor }: Context): boolean =>
  actor.kind === "operator" || (actor.kind === "user" && actor.user.role === "admin");
