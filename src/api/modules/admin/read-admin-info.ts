import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";

/** What greets an admin: names of the available plugins (none are installed yet) and the time of access. */
export const readAdminInfo = (ctx: Context): { availablePlugins: string[]; timestamp: string } => {
  requireAdmin(ctx);
  return { availablePlugins: [], timestamp: ctx.clock.now().toISOString() };
};
