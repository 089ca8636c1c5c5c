import { t } from "elysia";
import { integer } from "#api/modules/fields.ts";

const count = integer({ minimum: 0 });

export const systemInfoSchema = t.Object({
  version: t.String(),
  startedAt: t.String({ format: "date-time" }),
  uptimeS: count,
  appUrl: t.String(),
  node: t.Object({ rssBytes: count, cpus: count }),
  database: t.Object({
    kind: t.Union([t.Literal("postgres"), t.Literal("embedded")]),
    version: t.String(),
    sizeBytes: count,
    latencyMs: t.Number({ minimum: 0 }),
  }),
  mail: t.Object({
    transport: t.Union([t.Literal("smtp"), t.Literal("outbox")]),
    waiting: count,
    dead: count,
  }),
  users: t.Object({ total: count, admins: count, pending: count }),
});

const serviceState = {
  state: t.UnionEnum(["unused", "connecting", "up", "away"]),
  server: t.Nullable(t.String({ description: "Host and port, or origin; null when it is not set up" })),
  source: t.Nullable(t.UnionEnum(["settings", "environment"])),
  since: t.String(),
  reason: t.Nullable(t.String({ description: "Why it is away" })),
};

export const systemStatusSchema = t.Object({
  firewall: t.Object({
    installed: t.Boolean(),
    enabled: t.Boolean(),
    masterSwitchEnabled: t.Boolean(),
    rateLimitingEnabled: t.Boolean(),
    developmentModeEnabled: t.Boolean(),
  }),
  redis: t.Object(serviceState),
  storage: t.Object({
    ...serviceState,
    home: t.UnionEnum(["database", "r2"]),
    inDatabase: count,
    inR2: count,
    migration: t.Nullable(t.Object({ moved: count, total: count, bytes: count, failed: count })),
  }),
  limiter: t.Object({
    isEnabled: t.Boolean({ description: "False too while the firewall's limit counts instead" }),
    store: t.UnionEnum(["memory", "redis"]),
  }),
  cors: t.Object({ origins: t.Array(t.String(), { description: "What CORS_ORIGINS lists" }) }),
  isSafeMode: t.Boolean({ description: "Started in safe mode: all plugins are off until the next start" }),
  visitor: t.Object({
    ip: t.String({ description: "The address that counts for limits, lists and logs" }),
    peer: t.String({ description: "The address at the other end of the connection" }),
    isBehindTrustedProxy: t.Boolean(),
    trustedProxies: t.Array(t.String(), {
      description:
        "Proxies whose `X-Forwarded-For` counts: addresses and ranges; empty while Trust Proxy is off",
    }),
    warning: t.Nullable(t.String({ description: "What is likely wrong with the proxy settings" })),
    newestVisitor: t.Optional(
      t.Nullable(
        t.String({ description: "For the operator: the address that the newest visitor counts under" }),
      ),
    ),
  }),
});

export const aliveSchema = t.Object({ success: t.Literal(true), status: t.Literal("alive") });

const partSchema = t.Object({
  state: t.UnionEnum(["up", "away", "degraded", "starting", "unused"]),
  since: t.String({ format: "date-time", description: "As far as this process knows" }),
  note: t.Nullable(t.String({ description: "What is wrong" })),
});

const readyWord = t.UnionEnum(["ready", "degraded"]);
const partsSchema = t.Object({
  database: partSchema,
  disk: partSchema,
  redis: partSchema,
  storage: partSchema,
  mail: partSchema,
  plugins: partSchema,
});

export const readySchema = t.Object({
  success: t.Literal(true),
  status: readyWord,
  parts: t.Optional({ ...partsSchema, description: "For the operator and the bearer of METRICS_TOKEN" }),
});
export const readyReportSchema = t.Object({ status: readyWord, parts: partsSchema });
