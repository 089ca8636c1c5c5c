import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { OpenSpan, SpanStart, Tracer, TraceSampler } from "#api/core/tracer.ts";
import { within } from "#api/core/within.ts";
import { createExporter } from "./create-exporter.ts";
import { parentOf } from "./parent-of.ts";
import { samplerOf } from "./sampler-of.ts";

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
