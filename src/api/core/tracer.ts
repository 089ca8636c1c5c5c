/** Which traces are kept, as OpenTelemetry's `OTEL_TRACES_SAMPLER` names it. */
export const traceSamplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type TraceSampler = (typeof traceSamplers)[number];

/** Attributes of a span by OpenTelemetry's names. Never user input: no addresses, queries, texts or tokens. */
type SpanAttributes = Record<string, string | number | boolean>;

/** A piece of work that is about to begin. `traceparent` is what a caller sent of its own trace (W3C Trace Context). */
export type SpanStart = {
  name: string;
  kind: "server" | "client" | "internal";
  attributes?: SpanAttributes;
  traceparent?: string | null;
};

/** A piece of work under way. */
export type OpenSpan = {
  /** By what all parts of one trace are found. */
  readonly traceId: string;
  rename(name: string): void;
  note(attributes: SpanAttributes): void;
  /** It is over; `failure` is a constant word or the name of a kind. */
  end(failure?: string): void;
};

/** Records what a request led to, span by span. Never throws. */
export type Tracer = {
  /** A span within the current one; `null` where there is none, or it is not sampled. */
  begin(start: SpanStart): OpenSpan | null;
  /** Runs `work` as a piece of its own, within the one under way if there is one; the work ends the span. */
  run<T>(start: SpanStart, work: (span: OpenSpan) => T): T;
  /** The trace under way. */
  traceId(): string | null;
};

/** Takes nothing down. */
export const noTracer: Tracer = {
  begin: () => null,
  run: (_start, work) => work(silent),
  traceId: () => null,
};

const silent: OpenSpan = { traceId: "", rename: () => {}, note: () => {}, end: () => {} };

/** Runs work that resolves or rejects as a span; it counts as failed when it rejects. */
export const traced = <T>(tracer: Tracer, start: SpanStart, work: () => Promise<T>): Promise<T> => {
  if (tracer === noTracer) return work();
  return tracer.run(start, async (span) => {
    try {
      const result = await work();
      span.end();
      return result;
    } catch (error) {
      span.end("failed");
      throw error;
    }
  });
};
