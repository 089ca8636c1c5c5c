import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Metrics } from "#api/adapters/metrics/create-metrics.ts";
import type { Config } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { type MetricsEndpoint, noMetrics } from "#api/core/metrics.ts";
import { programVersion } from "#api/core/program-version.ts";
import { noTracer, type Tracer } from "#api/core/tracer.ts";
import { listenAlone } from "../server/listen.ts";
import { hostNameOf, splitTarget } from "../target.ts";

/** Figures and traces of a server, as far as its operator asked for them. */
type Telemetry = {
  /** `null` where metrics are off. */
  metrics: Metrics | null;
  /** What `/api/metrics` is answered with. */
  endpoint: MetricsEndpoint;
  tracer: Tracer;
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
};

/** Loads what the configuration asks for, and nothing else: without it a request costs nothing more. */
export const openTelemetry = async (config: Config, log: Log): Promise<Telemetry> => {
  const [metrics, tracing] = await Promise.all([openMetrics(config), openTraces(config, log)]);
  const isAllowed = config.metricsToken === null ? null : bearerCheck(config.metricsToken);
  return {
    metrics: metrics?.metrics ?? null,
    endpoint: metrics === null ? noMetrics : { ...metrics.metrics, isAllowed },
    tracer: tracing?.tracer ?? noTracer,
    close: async () => {
      metrics?.stop();
      await tracing?.close();
    },
  };
};

const openMetrics = async ({ metricsToken, metricsAddress, databaseUrl }: Config) => {
  if (metricsToken === null && metricsAddress === null) return null;
  const [{ createMetrics }, { createProcessSource }] = await Promise.all([
    import("#api/adapters/metrics/create-metrics.ts"),
    import("#api/adapters/metrics/process-source.ts"),
  ]);
  const own = createProcessSource();
  const database = databaseUrl === null ? "embedded" : "postgres";
  const metrics = createMetrics({ build: { version: programVersion, bun: Bun.version, database } });
  metrics.add(own);
  return { metrics, stop: own.stop };
};

const openTraces = async (config: Config, log: Log) => {
  const { otelEndpoint: endpoint, otelHeaders, otelServiceName, otelSampler, otelSamplerRatio } = config;
  if (endpoint === null) return null;
  const { openTracing } = await import("#api/adapters/tracing/open-tracing.ts");
  return openTracing({
    ...{ endpoint, log, clock: systemClock, version: programVersion },
    headers: otelHeaders ?? {},
    serviceName: otelServiceName,
    sampler: otelSampler,
    ratio: otelSamplerRatio,
  });
};

/** Whether a bearer token is the right one, in a time that does not depend on it or its length. */
export const bearerCheck = (token: string): ((bearer: string | null) => boolean) => {
  const right = digestOf(token);
  return (bearer) => bearer !== null && timingSafeEqual(digestOf(bearer), right);
};

const digestOf = (text: string): Uint8Array => createHash("sha256").update(text).digest();

/**
 * Serves figures on an address of their own, at `/metrics`, to whoever gets there by an IP address, as `localhost`, by the
 * name in `host` or one of `names`: any other could be a page's own, which its visitors' browsers are led here by. Throws
 * `PortInUseError`.
 */
export const listenForScrapes = (
  { host, port, names = [] }: { host: string; port: number; names?: readonly string[] },
  metrics: Pick<Metrics, "text" | "contentType">,
): { url: string; stop(): Promise<void> } => {
  const known = new Set(["localhost", ...[host, ...names].map((name) => name.toLowerCase())]);
  const listener = listenAlone({
    hostname: host,
    port,
    variable: "METRICS_ADDRESS",
    maxRequestBodySize: 1024,
    fetch: async ({ url, method, headers }) => {
      const name = hostNameOf(headers.get("host"));
      if (name === null || !(isAddress(name) || known.has(name)))
        return new Response("Misdirected request\n", { status: 421 });
      if (splitTarget(url).path !== "/metrics") return new Response("Not found\n", { status: 404 });
      if (method !== "GET" && method !== "HEAD")
        return new Response("Method not allowed\n", { status: 405, headers: { allow: "GET, HEAD" } });
      return new Response(await metrics.text(), {
        headers: { "content-type": metrics.contentType, "cache-control": "no-store" },
      });
    },
  });
  return { url: new URL("/metrics", listener.url).href, stop: () => listener.stop(true) };
};

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0;
