import type { Actor } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";

/** One answered request. `route` is the template, never the path with its tokens. */
export type AccessEntry = {
  requestId: string;
  method: string;
  route: string;
  status: number;
  startedNs: number;
  ip: string;
  actor: Actor;
  userAgent: string | null;
};

/** Writes the line of an answered request: `debug` for health probes and files, `info` for the rest. */
export const logAccess = (log: Log, entry: AccessEntry): void => {
  const { requestId, method, route, status, startedNs, ip, actor, userAgent } = entry;
  const write = isNoise(route) ? log.debug : log.info;
  write("request", {
    requestId,
    method,
    route,
    status,
    ms: Math.round((Bun.nanoseconds() - startedNs) / 10_000) / 100,
    ip,
    user: actor.kind === "user" ? actor.user.id : actor.kind,
    userAgent: userAgent === null ? null : userAgent.slice(0, 200),
  });
};

const isNoise = (route: string): boolean =>
  route === "/api/health" || route === "/api/ready" || route.startsWith("/assets/");
