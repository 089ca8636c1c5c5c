import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { implement } from "#api/core/implement.ts";
import type { Readiness } from "#api/core/metrics.ts";
import { switchesInForce } from "#api/core/switches-in-force.ts";
import { listEnabled } from "#api/modules/plugins/index.ts";
import { type AdminAccess, type SystemStatus, systemContract } from "./contract.ts";
import { readParts } from "./read-readiness.ts";
import { readSupport } from "./read-support.ts";
import { readSystemInfo } from "./read-system-info.ts";

/** What does the operations about the installation; its readiness is there before the first call. */
export const systemOperations = (readiness: () => Readiness) =>
  implement("system", systemContract, {
    health: async () => ({ status: "alive" as const }),
    overview: readAdminInfo,
    parts: (ctx) => readParts(ctx, readiness()),
    info: readSystemInfo,
    status: readSystemStatus,
    support: readSupport,
  });

/** What greets an admin: names of the enabled plugins and the time of access. */
const readAdminInfo = async (ctx: Context): Promise<AdminAccess> => {
  requireAdmin(ctx);
  return { availablePlugins: await listEnabled(ctx), timestamp: ctx.clock.now().toISOString() };
};

/** What decides about requests at this moment, what is used from outside, and how the caller is seen. Admins only. */
const readSystemStatus = async (ctx: Context): Promise<SystemStatus> => {
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
