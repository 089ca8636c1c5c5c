import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";

export type ExporterOptions = {
  endpoint: string;
  headers: Record<string, string>;
  sendMs: number;
  clock: Clock;
  log: Log;
};

const quietMs = 60_000;

/** Sends spans as OTLP over HTTP. What fails is dropped, with one warning a minute that tells how much. */
export const createExporter = ({ endpoint, headers, sendMs, clock, log }: ExporterOptions): SpanExporter => {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: sendMs,
    concurrencyLimit: 2,
  });
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let lost = 0;

  const lose = (spans: number): void => {
    lost += spans;
    if (clock.uptimeMs() - toldAtMs < quietMs) return;
    toldAtMs = clock.uptimeMs();
    // What the library says of the failure may hold the collector's answer, or the headers with their secret.
    log.warn("traces are lost: the collector does not take them", { spans: lost });
    lost = 0;
  };

  return {
    export: (spans, done) =>
      exporter.export(spans, ({ code }) => {
        if (code !== 0) lose(spans.length);
        // The library would tell every failure by itself otherwise.
        done({ code: 0 });
      }),
    forceFlush: async () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
};
