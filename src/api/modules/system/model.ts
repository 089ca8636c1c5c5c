import { t } from "elysia";

const count = t.Integer({ minimum: 0 });

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

export const aliveSchema = t.Object({ success: t.Literal(true), status: t.Literal("alive") });
export const readySchema = t.Object({ success: t.Literal(true), status: t.Literal("ready") });
