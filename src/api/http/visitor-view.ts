import type { VisitorView } from "#contract/settings.ts";
import type { Passage } from "./passage.ts";
import type { ProxyWatch } from "./proxy-watch.ts";

/** Shows callers how they reach this server, with what is likely wrong about it. */
export const createVisitorView =
  (watch: ProxyWatch) =>
  ({ client, entrance, switches }: Passage): VisitorView => ({
    ip: client.ip,
    peer: client.peer,
    isBehindTrustedProxy: client.isForwarded,
    warning: watch.warningFor(entrance.via === "tcp" ? client.peer : null, switches.trustProxy),
  });
