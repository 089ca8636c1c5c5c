import { availableParallelism } from "node:os";
import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { countUsers } from "#api/modules/users/index.ts";

/** How the installation is doing: versions, sizes in bytes, times in milliseconds or seconds as named. Admins only. */
export const readSystemInfo = async (ctx: Context) => {
  requireAdmin(ctx);
  const now = ctx.clock.now();
  const askedAt = performance.now();
  await ctx.database.check();
  const latencyMs = Math.round((performance.now() - askedAt) * 100) / 100;
  const database = await describeDatabase(ctx);
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

type DatabaseFacts = Awaited<ReturnType<Context["database"]["describe"]>>;

/** To know its size, the database looks at each of its files: once a minute for all replicas is enough. */
export const describeDatabase = async (ctx: Pick<Context, "cache" | "database">): Promise<DatabaseFacts> => {
  const known = await ctx.cache.get("database", readFacts);
  if (known !== null) return known;
  const facts = await ctx.database.describe();
  await ctx.cache.set("database", facts, rememberedMs);
  return facts;
};

const readFacts = (value: unknown): DatabaseFacts | null => {
  const version: unknown = Reflect.get(Object(value), "version");
  const sizeBytes: unknown = Reflect.get(Object(value), "sizeBytes");
  const isKnown = typeof version === "string" && version.length <= mostVersionLength;
  if (!isKnown || typeof sizeBytes !== "number" || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
    return null;
  return { version, sizeBytes };
};

const rememberedMs = 60_000;
const mostVersionLength = 200;
