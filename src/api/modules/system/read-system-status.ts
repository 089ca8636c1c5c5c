import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { switchesInForce } from "#api/core/switches-in-force.ts";
import type { SystemStatus, VisitorView } from "#contract/settings.ts";

/** What only the door knows: how the caller came, where calls are counted, and who else may be let call. */
type Seen = {
  visitor: VisitorView;
  limiterStore: SystemStatus["limiter"]["store"];
  corsOrigins: string[];
};

/** What decides about requests at this moment, what is used from outside, and how the caller is seen. Admins only. */
export const readSystemStatus = async (
  ctx: Context,
  { visitor, limiterStore, corsOrigins }: Seen,
): Promise<SystemStatus> => {
  requireAdmin(ctx);
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
