import type { Passage } from "#api/door/passage.ts";
import type { VisitorView } from "#contract/settings.ts";
import type { ProxyWatch } from "./proxy-watch.ts";

/** Shows callers how they reach this server, with whose word about them counts, and what is likely wrong; the operator, how visitors do. */
export const createVisitorView =
  (watch: ProxyWatch, trustedProxies: string[]) =>
  ({ client, entrance, request, switches: { trustProxy } }: Passage): VisitorView => {
    const seen = {
      ...{ ip: client.ip, peer: client.peer, isBehindTrustedProxy: client.isForwarded },
      trustedProxies: trustProxy ? trustedProxies : [],
    };
    if (entrance.via === "socket")
      return { ...seen, warning: watch.warningForOperator(trustProxy), newestVisitor: watch.newestAddress() };
    const forwardedFor = request.headers.get("x-forwarded-for");
    return { ...seen, warning: watch.warningFor(client, forwardedFor, trustProxy) };
  };
