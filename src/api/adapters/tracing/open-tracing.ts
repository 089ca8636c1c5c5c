import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { within } from "#api/core/timing.ts";
import type { OpenSpan, SpanStart, Tracer, TraceSampler } from "#api/core/tracer.ts";

export type TracingOptions = {
  /** The collector's address; `/v1/traces` comes behind it. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  version: string;
  sampler: TraceSampler;
  ratio: number;
  clock: Clock;
  log: Log;
  /** How long spans are gathered: 5 s unless given. */
  gatherMs?: number;
  /** How long the collector may take, tries again included: 5 s unless given. */
  sendMs?: number;
};

/** A tracer, and its end. */
export type Tracing = {
  tracer: Tracer;
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
};

// 2,048 spans are about two megabytes; what a collector does not take in time is dropped.
const mostWaiting = 2_048;
const closeMs = 2_000;

/** Sends spans to a collector. A collector that is away, slow or full costs requests nothing. */
export const openTracing = (options: TracingOptions): Tracing => {
  const { serviceName, version, sampler, ratio, gatherMs = 5_000, sendMs = 5_000 } = options;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
    sampler: samplerOf(sampler, ratio),
    spanLimits: { attributeValueLengthLimit: 2_000 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createExporter({ ...options, sendMs }),
        maxQueueSize: mostWaiting,
        scheduledDelayMillis: gatherMs,
        // Later than the exporter's own: it says what became of them.
        exportTimeoutMillis: sendMs + 500,
      }),
    ],
  });
  const source = provider.getTracer("atrium", version);
  const underWay = new AsyncLocalStorage<{ span: Span; context: Context }>();

  const open = ({ name, kind, attributes = {}, traceparent = null }: SpanStart) => {
    const parent = underWay.getStore()?.context ?? parentOf(traceparent) ?? ROOT_CONTEXT;
    const span = source.startSpan(name, { kind: kinds[kind], attributes }, parent);
    return { span, context: trace.setSpan(parent, span) };
  };

  return {
    tracer: {
      begin: (start) => {
        if (!underWay.getStore()?.span.isRecording()) return null;
        return openSpan(open(start).span);
      },
      run: (start, work) => {
        const opened = open(start);
        return underWay.run(opened, () => work(openSpan(opened.span)));
      },
      traceId: () => underWay.getStore()?.span.spanContext().traceId ?? null,
    },
    close: async () => {
      // What a collector did not take by then is lost; the server ends all the same.
      await within(closeMs, provider.shutdown()).catch(() => {});
    },
  };
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

const openSpan = (span: Span): OpenSpan => ({
  traceId: span.spanContext().traceId,
  rename: (name) => void span.updateName(name),
  note: (attributes) => void span.setAttributes(attributes),
  end: (failure) => {
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end();
  },
});

type ExporterOptions = {
  endpoint: string;
  headers: Record<string, string>;
  sendMs: number;
  clock: Clock;
  log: Log;
};

const quietMs = 60_000;

/** Sends spans as OTLP over HTTP. What fails is dropped, with one warning a minute that tells how much. */
const createExporter = ({ endpoint, headers, sendMs, clock, log }: ExporterOptions): SpanExporter => {
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
    log.warn("traces are lost: the collector does not accept them", { spans: lost });
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

const pattern = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** What a caller says it is part of; `null` for nothing, and for what is not well formed. Source: W3C Trace Context §3.2. */
const parentOf = (traceparent: string | null): Context | null => {
  const [, traceId, spanId, flags] = pattern.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};

/** The sampler of a name; `ratio` is the share of traces that the ones with a ratio keep. */
const samplerOf = (name: TraceSampler, ratio: number): Sampler => {
  const root = rootOf(name.replace("parentbased_", ""), ratio);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
};

const rootOf = (name: string, ratio: number): Sampler => {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
};
