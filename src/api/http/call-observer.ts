import type { Metrics } from "#api/adapters/metrics/create-metrics.ts";
import type { OpenSpan, Tracer } from "#api/core/tracer.ts";
import type { Passage } from "#api/door/passage.ts";

/** Sees each request come and go, for figures and traces. Never throws. */
export type CallObserver = {
  /** Answers a request by `work`, as one trace. */
  around<T>(passage: Passage, work: () => T): T;
  /** The head of the answer is there. */
  answered(passage: Passage, status: number): void;
};

export type CallObserverOptions = { metrics: Pick<Metrics, "count"> | null; tracer: Tracer | null };

/** `null` where nobody wants to know. */
export const createCallObserver = ({ metrics, tracer }: CallObserverOptions): CallObserver | null => {
  if (metrics === null && tracer === null) return null;
  const spans = new WeakMap<Passage, OpenSpan>();
  return {
    around: (passage, work) => {
      if (tracer === null) return work();
      const { request } = passage;
      // Names that strangers make up would be as many as they like.
      const start = {
        name: "request",
        kind: "server",
        traceparent: request.headers.get("traceparent"),
      } as const;
      return tracer.run(start, (span) => {
        spans.set(passage, span);
        return work();
      });
    },
    answered: (passage, status) => {
      const { startedNs, request } = passage;
      const route = routeLabel(passage);
      const seconds = (Bun.nanoseconds() - startedNs) / 1_000_000_000;
      metrics?.count({ method: request.method, route, status, seconds });
      const span = tracer === null ? undefined : spans.get(passage);
      if (span === undefined) return;
      spans.delete(passage);
      span.rename(`${request.method.slice(0, 20)} ${route}`);
      span.note({
        "http.request.method": request.method.slice(0, 20),
        "http.route": route,
        "http.response.status_code": status,
        "atrium.request_id": passage.requestId,
      });
      span.end(status >= 500 ? (passage.trace.failure ?? "failed") : undefined);
    },
  };
};

/** A route by its template; of everything else only the kind: paths are chosen by strangers, and may hold tokens. */
const routeLabel = ({ route, isCall, path }: Passage): string => {
  if (route !== null) return route.template;
  if (isCall) return "unknown";
  return path.startsWith("/assets/") ? "file" : "page";
};
