import type { Services } from "#api/core/context.ts";
import { switchesInForce } from "#api/core/switches-in-force.ts";
import { type Entrance, type Exchange, operator, visitor } from "#api/door/exchange.ts";
import { mcpPath } from "#contract/mcp.ts";
import { createCallCookies } from "./call-cookies.ts";
import type { ClientFinder, ProxyWatch } from "./client.ts";
import { readBearer } from "./credentials.ts";
import { documentPath, isProbe, loggedPath } from "./target.ts";

const local = { ip: "local", peer: "local", isForwarded: false };

export type BeginOptions = {
  services: Services;
  clients: ClientFinder;
  watch: ProxyWatch;
  isOurHost: (host: string | null) => boolean;
  isHttps: boolean;
};

/** Starts an exchange with what the request itself tells. */
export const createBegin =
  ({ services, clients, watch, isOurHost, isHttps }: BeginOptions) =>
  (request: Request, entrance: Entrance, path: string, search: string): Exchange => {
    const switches = switchesInForce(services);
    const isSocket = entrance.via === "socket";
    const forwardedFor = isSocket ? null : request.headers.get("x-forwarded-for");
    const client = isSocket ? local : clients.find(entrance.peer, forwardedFor, switches.trustProxy);
    // Health probes bypass the proxy and are not visitors.
    if (!isSocket && !isProbe(path)) watch.see(client, forwardedFor, switches.trustProxy);
    const isCall = path === "/api" || path.startsWith("/api/") || path === documentPath || path === mcpPath;
    // The API's description is the same for everyone, so a token is ignored there.
    const takesToken = !isSocket && isCall && path !== documentPath;
    const bearer = takesToken ? readBearer(request.headers.get("authorization")) : null;
    return {
      request,
      entrance,
      requestId: crypto.randomUUID(),
      startedNs: Bun.nanoseconds(),
      switches,
      client,
      ip: client.ip,
      userAgent: request.headers.get("user-agent"),
      isCall,
      isOurs: isSocket || isOurHost(request.headers.get("host")),
      path,
      search,
      label: loggedPath(path),
      actor: isSocket ? operator : visitor,
      cookies: createCallCookies(isSocket || bearer ? null : request.headers.get("cookie"), isHttps),
      bearer,
      route: null,
      trace: { failure: null, isRecorded: false },
      failurePath: null,
      limitHeaders: null,
    };
  };
