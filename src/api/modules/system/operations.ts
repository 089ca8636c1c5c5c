import { availableParallelism } from "node:os";
import type { ActivityRecorder } from "#api/core/activity.ts";
import { requireAdmin, requireOperator } from "#api/core/actor.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { implement } from "#api/core/implement.ts";
import type { Readiness } from "#api/core/metrics.ts";
import { readUncheckedAt } from "#api/core/password-policy.ts";
import { isHomeGone } from "#api/core/settings.ts";
import { countPasskeysOfOthers } from "#api/modules/passkeys/index.ts";
import { listEnabled } from "#api/modules/plugins/index.ts";
import { countUsers } from "#api/modules/users/index.ts";
import { type AdminAccess, type SupportFacts, type SystemStatus, systemContract } from "./contract.ts";
import { readParts } from "./readiness.ts";
import { readRecordedVersion, replaceRecordedVersion, selectSupportFacts } from "./store.ts";

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
  if (ctx.view === undefined) throw new Error("only requests have a status to show");
  const { visitor, isLimited, limiterStore, corsOrigins } = ctx.view();
  return {
    firewall: ctx.firewall.status(),
    redis: ctx.serviceStates.redis(),
    storage: await ctx.serviceStates.storage(),
    limiter: { isEnabled: isLimited, store: limiterStore },
    breachCheck: {
      mode: ctx.settings.current.accounts.breachedPasswords,
      failedAt: await readUncheckedAt(ctx),
    },
    ...missingHome(ctx),
    cors: { origins: corsOrigins },
    isSafeMode: ctx.plugins.isSafeMode,
    visitor,
  };
};

/** The page that is set as the home page, if it is gone: the landing page is in its place. */
const missingHome = ({ settings }: Context): Pick<SystemStatus, "missingHome"> => {
  const { home } = settings.current.site;
  return isHomeGone(home, settings) ? { missingHome: home } : {};
};

/** How the installation is doing: versions, sizes in bytes, times in milliseconds or seconds as named. Admins only. */
const readSystemInfo = async (ctx: Context) => {
  requireAdmin(ctx);
  const now = ctx.clock.now();
  const askedAt = performance.now();
  await ctx.database.check();
  const latencyMs = Math.round((performance.now() - askedAt) * 100) / 100;
  const database = await describeDatabase(ctx);
  const [mail, users, passkeysOfOtherHosts] = await Promise.all([
    ctx.outbox.counts(),
    countUsers(ctx),
    countPasskeysOfOthers(ctx.db, ctx.passkeyHost),
  ]);
  return {
    version: ctx.process.version,
    startedAt: ctx.process.startedAt.toISOString(),
    uptimeS: Math.max(0, Math.floor((now.getTime() - ctx.process.startedAt.getTime()) / 1000)),
    appUrl: ctx.appUrl,
    node: { rssBytes: process.memoryUsage.rss(), cpus: availableParallelism() },
    database: { kind: ctx.database.kind, ...database, latencyMs },
    mail: { transport: ctx.outbox.transport, ...mail },
    users,
    passkeysOfOtherHosts,
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

/** Facts from the database for troubleshooting: nothing of people, no secrets. For the operator. */
const readSupport = async (ctx: Context): Promise<SupportFacts> => {
  requireOperator(ctx);
  return selectSupportFacts(ctx.db);
};

/**
 * Tells the activity log that the installation runs another version than before, once for each change; of a new
 * installation nothing. Where a newer and an older version run beside each other, each start is told.
 */
export const recordUpgrade = async (
  { db, clock, activity }: { db: Database; clock: Clock; activity: ActivityRecorder },
  version: string,
): Promise<void> => {
  if ((await readRecordedVersion(db)) === version) return;
  await db.transaction(async (tx) => {
    const former = await replaceRecordedVersion(tx, version);
    if (former === null || former === version) return;
    await activity.record(tx, {
      entry: {
        type: "admin_action",
        severity: "medium",
        action: "Changed the version of Atrium",
        description: `From ${former} to ${version}`,
        before: { version: former },
        after: { version },
      },
      source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
      at: clock.now(),
    });
  });
  activity.wake();
};
