import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { switchesInForce } from "#api/core/switches-in-force.ts";
import type { SystemStatus } from "./contract.ts";

/** What decides about requests at this moment, what is used from outside, and how the caller is seen. Admins only. */
export const readSystemStatus = async (ctx: Context): Promise<SystemStatus> => {
  requireAdmin(ctx);
  if (ctx.view === undefined) throw new Error("only what came in by a door has a status to show");
  const { visitor, limiterStore, corsOrigins } = ctx.view();
  return {
    firewall: ctx.firewall.status(),
    redis: ctx.serviceStates.redis(),
    storage: await ctx.serviceStates.storage(),
    limiter: { isEnabled: switchesInForce(ctx).limit !== null, store: limiterStore },
    cors: { origins: corsOrigins },
    isSafeMode: ctx.plugins.isSafeMode,
    visitor,
  };
};
