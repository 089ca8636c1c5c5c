import type { Services } from "#api/core/context.ts";
import { switchesInForce } from "#api/core/switches-in-force.ts";
import { documentPath } from "./api-document.ts";
import { createCallCookies } from "./call-cookies.ts";
import { loggedPath } from "./canonical-path.ts";
import type { ClientFinder } from "./client-address.ts";
import { type Entrance, operator, type Passage, visitor } from "./passage.ts";
import type { ProxyWatch } from "./proxy-watch.ts";

const probes = new Set(["/api/health", "/api/ready", "/api/metrics"]);
const local = { ip: "local", peer: "local", isForwarded: false };

/** Whether a path is one that is asked for by who watches the process. */
export const isProbe = (path: string): boolean => probes.has(path);

const anyName = new Set(["/api/health", "/api/ready"]);

/** Whether a path is answered under any `Host`: whoever asks knows the process by its address alone. */
export const isUnderAnyName = (path: string): boolean => anyName.has(path);

export type BeginOptions = {
  services: Services;
  clients: ClientFinder;
  watch: ProxyWatch;
  isOurHost: (host: string | null) => boolean;
  isHttps: boolean;
};

/** Makes of a request what can be known of it without asking anybody. */
export const createBegin =
  ({ services, clients, watch, isOurHost, isHttps }: BeginOptions) =>
  (request: Request, entrance: Entrance, path: string, search: string): Passage => {
    const switches = switchesInForce(services);
    const isSocket = entrance.via === "socket";
    const forwardedFor = isSocket ? null : request.headers.get("x-forwarded-for");
    const client = isSocket ? local : clients.find(entrance.peer, forwardedFor, switches.trustProxy);
    // Whoever watches the process comes past the proxy, and is no visitor.
    if (!isSocket && !probes.has(path)) watch.see(client, forwardedFor, switches.trustProxy);
    return {
      request,
      entrance,
      requestId: crypto.randomUUID(),
      startedNs: Bun.nanoseconds(),
      switches,
      client,
      ip: client.ip,
      userAgent: request.headers.get("user-agent"),
      isCall: path === "/api" || path.startsWith("/api/") || path === documentPath,
      isOurs: isSocket || isOurHost(request.headers.get("host")),
      path,
      search,
      label: loggedPath(path),
      actor: isSocket ? operator : visitor,
      cookies: createCallCookies(isSocket ? null : request.headers.get("cookie"), isHttps),
      route: null,
      trace: { failure: null, isRecorded: false },
      failurePath: null,
      standing: null,
    };
  };
