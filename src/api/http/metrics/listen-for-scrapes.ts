import { isIP } from "node:net";
import type { Metrics } from "#api/adapters/metrics/create-metrics.ts";
import { listenAlone } from "../listen.ts";
import { hostNameOf, splitTarget } from "../target.ts";

/**
 * Serves figures on an address of their own, at `/metrics`, to whoever gets there by an IP address, as `localhost`, by the
 * name in `host` or one of `names`: any other could be a page's own, which its visitors' browsers are led here by. Throws
 * `PortInUseError`.
 */
export const listenForScrapes = (
  { host, port, names = [] }: { host: string; port: number; names?: readonly string[] },
  metrics: Pick<Metrics, "text" | "contentType">,
): { url: string; stop(): Promise<void> } => {
  const known = new Set(["localhost", ...[host, ...names].map((name) => name.toLowerCase())]);
  const listener = listenAlone({
    hostname: host,
    port,
    variable: "METRICS_ADDRESS",
    maxRequestBodySize: 1024,
    fetch: async ({ url, method, headers }) => {
      const name = hostNameOf(headers.get("host"));
      if (name === null || !(isAddress(name) || known.has(name)))
        return new Response("Misdirected request\n", { status: 421 });
      if (splitTarget(url).path !== "/metrics") return new Response("Not found\n", { status: 404 });
      if (method !== "GET" && method !== "HEAD")
        return new Response("Method not allowed\n", { status: 405, headers: { allow: "GET, HEAD" } });
      return new Response(await metrics.text(), {
        headers: { "content-type": metrics.contentType, "cache-control": "no-store" },
      });
    },
  });
  return { url: new URL("/metrics", listener.url).href, stop: () => listener.stop(true) };
};

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0;
