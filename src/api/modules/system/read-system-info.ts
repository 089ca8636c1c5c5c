import { availableParallelism } from "node:os";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { countUsers } from "#api/modules/users/index.ts";

/** How the installation is doing: versions, sizes in bytes, times in milliseconds or seconds as named. Admins only. */
export const readSystemInfo = async (ctx: Context) => {
  requireAdmin(ctx);
  const now = ctx.clock.now();
  const askedAt = performance.now();
  await ctx.database.check();
  const latencyMs = Math.round((performance.now() - askedAt) * 100) / 100;
  const database = await ctx.database.describe();
  const [mail, users] = await Promise.all([ctx.outbox.counts(), countUsers(ctx)]);
  return {
    version: ctx.process.version,
    startedAt: ctx.process.startedAt.toISOString(),
    uptimeS: Math.max(0, Math.floor((now.getTime() - ctx.process.startedAt.getTime()) / 1000)),
    appUrl: ctx.appUrl,
    node: { rssBytes: process.memoryUsage.rss(), cpus: availableParallelism() },
    database: { kind: ctx.database.kind, ...database, latencyMs },
    mail: { transport: ctx.outbox.transport, ...mail },
    users,
  };
};
