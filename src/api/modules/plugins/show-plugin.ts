import type { Context } from "#api/core/context.ts";
import type { Plugin } from "#contract/plugins.ts";
import { getInstalled, readCatalogue } from "./catalogue.ts";
import { toPlugin } from "./to-plugin.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/** An installed plugin as it stands now. Throws `PLUGIN_NOT_FOUND`. */
export const showPlugin = async (ctx: Context, name: string): Promise<Plugin> =>
  toPlugin(ctx, getInstalled(await readCatalogue(ctx.db), name), await readTrustedKeys(ctx, ctx.db));
