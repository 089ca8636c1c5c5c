import { Elysia } from "elysia";
import type { MetricsDoor } from "#api/core/metrics-door.ts";
import type { Readiness } from "#api/core/readiness.ts";
import type { Door } from "#api/door/door.ts";
import { dataOf, failures, fileAnswer } from "#api/modules/fields.ts";
import {
  aliveSchema,
  readyReportSchema,
  readySchema,
  systemInfoSchema,
  systemStatusSchema,
} from "./model.ts";
import { readMetrics } from "./read-metrics.ts";
import { readParts, readReadiness } from "./read-readiness.ts";
import { readSystemInfo } from "./read-system-info.ts";
import { readSystemStatus } from "./read-system-status.ts";

/** What probes are answered with. */
export type Probes = { readiness: Readiness; metrics: MetricsDoor };

/** Probes for whoever watches the process, and the facts behind the admin area's overview. */
export const systemRoutes = (door: Door, probes: () => Probes) =>
  new Elysia({ prefix: "/api" })
    .use(door)
    .get("/health", () => ({ success: true as const, status: "alive" as const }), {
      access: "public",
      response: { 200: aliveSchema },
      detail: {
        summary: "Whether the process is alive",
        description:
          "For whatever restarts processes: answered from the first connection on, whether or not the database is " +
          "there, under any host name, and never limited. Whether requests can be answered is what `/api/ready` tells.",
        tags: ["System"],
      },
    })
    .get(
      "/ready",
      async ({ ctx, request }) => ({
        success: true as const,
        ...(await readReadiness(ctx, probes().readiness, {
          door: probes().metrics,
          bearer: bearerOf(request),
        })),
      }),
      {
        access: "public",
        response: {
          200: readySchema,
          ...failures("DB_UNAVAILABLE", "RATE_LIMITED", "SHUTTING_DOWN", "STARTING"),
        },
        detail: {
          summary: "Whether requests can be answered: database reachable, migrations done",
          description:
            "`degraded`: they are answered, but something that was set up is away, or a plugin does not run. Where they " +
            "cannot be answered `data.status` says why: `starting`, `draining`, or `unavailable` without the database. " +
            "Wrong tokens are counted as those of the metrics are; without one nobody is refused.",
          tags: ["System"],
          security: [{}, { metrics: [] }],
        },
      },
    )
    .get(
      "/metrics",
      async ({ ctx, request }) =>
        new Response(await readMetrics(ctx, probes().metrics, bearerOf(request)), {
          headers: { "content-type": probes().metrics.contentType, "cache-control": "no-store" },
        }),
      {
        access: "public",
        response: {
          200: fileAnswer("text/plain", "Prometheus' text format"),
          ...failures("NOT_FOUND", "NOT_SIGNED_IN", "RATE_LIMITED"),
        },
        detail: {
          summary: "Figures for Prometheus",
          description:
            "For `Authorization: Bearer <METRICS_TOKEN>`; 404 where no token is set. Not counted by the limit on calls; " +
            "after 20 wrong tokens a minute a network has to wait, which the right one never has.",
          tags: ["System"],
          security: [{ metrics: [] }],
        },
      },
    )
    .get(
      "/system/readiness",
      async ({ ctx }) => ({ success: true as const, data: await readParts(ctx, probes().readiness) }),
      {
        access: "admin",
        scope: "all",
        response: {
          200: dataOf(readyReportSchema),
          ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE", "SHUTTING_DOWN"),
        },
        detail: {
          summary: "How each part is doing that requests are answered with, and since when",
          description:
            "For administrators what `/api/ready` tells the bearer of `METRICS_TOKEN`: database, disk, Redis, object " +
            "storage, mail and plugins, each with its state, since when it is so as far as this process knows, and what " +
            "is wrong. Fails with 503 where `/api/ready` does.",
          tags: ["System"],
        },
      },
    )
    .get("/system/info", async ({ ctx }) => ({ success: true as const, data: await readSystemInfo(ctx) }), {
      access: "admin",
      scope: "any",
      response: {
        200: dataOf(systemInfoSchema),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"),
      },
      detail: {
        summary: "Version, uptime, database, mail and user counts",
        description:
          "What the overview of the admin area shows: start, memory and processors of the process that answers; kind, " +
          "size and response time of the database; mails that wait or were given up; how many people have an account. " +
          "Version and size of the database may be a minute old.",
        tags: ["System"],
      },
    })
    .get(
      "/system/status",
      async ({ ctx, view }) => ({ success: true as const, data: await readSystemStatus(ctx, view()) }),
      {
        access: "admin",
        scope: "any",
        response: {
          200: dataOf(systemStatusSchema),
          ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"),
        },
        detail: {
          summary: "Firewall, Redis, object storage, the limit on calls, and how the caller is seen",
          description:
            "As the process that answers sees it at this moment: switches of the firewall, whether Redis and object " +
            "storage are up and if not why, where calls are counted, which other origins may call, and under which " +
            "address the caller counts. `visitor.warning` says what is likely wrong with the proxy settings.",
          tags: ["System"],
        },
      },
    );

const bearerOf = ({ headers }: Request): string | null =>
  /^bearer ([\x21-\x7e]+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
