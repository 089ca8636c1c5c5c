import { Elysia, t } from "elysia";
import type { MetricsEndpoint, Readiness } from "#api/core/metrics.ts";
import type { Door } from "#api/door/door.ts";
import { failures, fileAnswer } from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { systemContract } from "./contract.ts";
import { readMetrics, readReadiness } from "./readiness.ts";

/** What probes are answered with. */
export type Probes = { readiness: Readiness; metrics: MetricsEndpoint };

const { status, parts } = systemContract.parts.schemas(kit).answer.properties;
const readySchema = t.Object({
  success: t.Literal(true),
  status,
  parts: t.Optional({ ...parts, description: "For the operator and holders of METRICS_TOKEN" }),
});

/** Probes for whoever watches the process, which have a bearer of their own. */
export const systemRoutes = (door: Door, probes: () => Probes) =>
  new Elysia({ prefix: "/api" })
    .use(door)
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
          summary: "Whether requests can be served: database available, migrations done",
          description:
            "`degraded`: requests are served, but a configured service is unavailable, or a plugin does not run. If they cannot be served, `data.status` says why: `starting`, `draining`, or `unavailable` without the database. Wrong tokens are counted as those of the metrics are; requests without a token are never refused.",
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
          summary: "Metrics for Prometheus",
          description:
            "For `Authorization: Bearer <METRICS_TOKEN>`; 404 if no token is set. Not rate limited; after 20 wrong tokens a minute, a network has to wait before it can try another wrong one, while the right token always works.",
          tags: ["System"],
          security: [{ metrics: [] }],
        },
      },
    );

const bearerOf = ({ headers }: Request): string | null =>
  /^bearer ([\x21-\x7e]+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
