import { idOfActor, withoutApiTokens } from "#api/core/actor.ts";
import type { Actor } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";

/** A request as the log sees it. `label` is the route's template, never the path with its tokens. */
export type LoggedRequest = {
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

// Scripts that put their token there meant no log.
const loggable = (userAgent: string): string =>
  withoutApiTokens(userAgent.slice(0, 200)).replace(terminalControls, "");

// JSON escapes the other control characters by itself.
const terminalControls = /[\u007f-\u009f]/g;

const quiet = new Set(["/api/health", "/api/ready", "/api/metrics"]);

const isNoise = (route: string): boolean => quiet.has(route) || /^\/(?!api\/).*\.\w+$/.test(route);
