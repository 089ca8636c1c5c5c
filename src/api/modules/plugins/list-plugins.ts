import { isAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { allows } from "#contract/api-tokens.ts";
import type { Plugin, PublicPlugin } from "#contract/plugins.ts";
import { readCatalogue } from "./catalogue.ts";
import { toPlugin, toPublicPlugin } from "./to-plugin.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/**
 * The plugins in the order of their names: for admins, for tokens that may read them and for the operator all of them with
 * everything, for anybody else the enabled ones with what everybody may know.
 */
export const listPlugins = async (ctx: Context): Promise<(Plugin | PublicPlugin)[]> => {
  const installed = [...(await readCatalogue(ctx.db)).installed.values()];
  if (!mayKnowAll(ctx)) return installed.filter(({ row }) => row.isEnabled).map(toPublicPlugin);
  const keys = await readTrustedKeys(ctx, ctx.db);
  return installed.map((plugin) => toPlugin(ctx, plugin, keys));
};

const mayKnowAll = ({ actor }: Context): boolean => {
  if (actor.kind === "token") return allows(actor.token.scopes, "plugins:read");
  return actor.kind === "operator" || isAdmin(actor);
};
