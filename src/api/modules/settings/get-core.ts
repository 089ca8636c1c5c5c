import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { CoreSettings } from "#contract/core-settings.ts";
import { readSettings } from "./read-settings.ts";

/** The core settings as they are stored; while the firewall manages them, others may be in force. */
export const getCore = async (ctx: Context): Promise<CoreSettings> => {
  requireAdmin(ctx);
  return (await readSettings(ctx.db, ctx.secrets)).core;
};
