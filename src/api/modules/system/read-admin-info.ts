import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { listEnabled } from "#api/modules/plugins/index.ts";
import type { AdminAccess } from "./contract.ts";

/** What greets an admin: names of the enabled plugins and the time of access. */
export const readAdminInfo = async (ctx: Context): Promise<AdminAccess> => {
  requireAdmin(ctx);
  return { availablePlugins: await listEnabled(ctx), timestamp: ctx.clock.now().toISOString() };
};
