import type { Metrics } from "#api/adapters/metrics/create-metrics.ts";
import { idOfActor } from "#api/core/actor.ts";
import { withoutApiTokens } from "#api/core/api-token.ts";
import type { Actor } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import type { OpenSpan, Tracer } from "#api/core/tracer.ts";
import type { Exchange } from "#api/door/exchange.ts";

/** Observes requests for metrics and traces. Never throws. */
export type CallObserver = {
  /** Answers a request with `work`, within one trace. */
  around<T>(exchange: Exchange, work: () => T): T;
  /** The head of the response is ready. */
  answered(exchange: Exchange, status: number): void;
};

type CallObserverOptions = { metrics: Pick<Metrics, "count"> | null; tracer: Tracer | null };

/** `null` without metrics and traces. */
export const createCallObserver = ({ metrics, tracer }: CallObserverOptions): CallObserver | null => {
  if (metrics === null && tracer === null) return null;
  const spans = new WeakMap<Exchange, OpenSpan>();
  return {
    around: (exchange, work) => {
      if (tracer === null) return work();
      const { request } = exchange;
      // Clients could invent any number of names.
      const start = {
        name: "request",
        kind: "server",
        traceparent: request.headers.get("traceparent"),
      } as const;
      return tracer.run(start, (span) => {
        spans.set(exchange, span);
        return work();
      });
    },
    answered: (exchange, status) => {
      const { startedNs, request } = exchange;
      const route = routeLabel(exchange);
      const seconds = (Bun.nanoseconds() - startedNs) / 1_000_000_000;
      metrics?.count({ method: request.method, route, status, seconds });
      const span = tracer === null ? undefined : spans.get(exchange);
      if (span === undefined) return;
      spans.delete(exchange);
      span.rename(`${request.method.slice(0, 20)} ${route}`);
      span.note({
        "http.request.method": request.method.slice(0, 20),
        "http.route": route,
        "http.response.status_code": status,
        "atrium.request_id": exchange.requestId,
      });
      span.end(status >= 500 ? (exchange.trace.failure ?? "failed") : undefined);
    },
  };
};

/** A route's template; of everything else only the kind, because clients choose paths, which may hold tokens. */
const routeLabel = ({ route, isCall, path }: Exchange): string => {
  if (route !== null) return route.template;
  if (isCall) return "unknown";
  return path.startsWith("/assets/") ? "file" : "page";
};

/** A request as the log sees it. `label` is the route's template, never the path with its tokens. */
type LoggedRequest = {
  request: Request;
  requestId: string;
  label: string;
  startedNs: number;
  ip: string;
  actor: Actor;
  userAgent: string | null;
};

/** Writes the line of an answered request: `debug` for health probes and files, `info` for the rest. */
export const logAccess = (log: Log, logged: LoggedRequest, status: number): void => {
  const { request, requestId, label, startedNs, ip, actor, userAgent } = logged;
  const write = isNoise(label) ? log.debug : log.info;
  write("request", {
    requestId,
    method: request.method,
    route: label,
    status,
    ms: Math.round((Bun.nanoseconds() - startedNs) / 10_000) / 100,
    ip,
    user: actor.kind === "token" ? `token ${actor.token.id}` : idOfActor(actor),
    userAgent: userAgent === null ? null : loggable(userAgent),
  });
};

// Scripts that put a token there don't expect it in a log.
const loggable = (userAgent: string): string =>
  withoutApiTokens(userAgent.slice(0, 200)).replace(terminalControls, "");

// JSON escapes the other control characters.
const terminalControls = /[\u007f-\u009f]/g;

const quiet = new Set(["/api/health", "/api/ready", "/api/metrics"]);

const isNoise = (route: string): boolean => quiet.has(route) || /^\/(?!api\/).*\.\w+$/.test(route);
