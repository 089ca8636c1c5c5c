import { createUpstream, type Upstream, type UpstreamAnswer } from "./upstream.ts";

/** A proxy as a careful operator sets one up: each request goes to the next server that is ready, and none is tried twice. */
export type RoundRobin = {
  /** Where people go, without trailing slash. */
  origin: string;
  /** Puts a server behind the proxy; it gets requests once it says that it is ready. */
  add(url: string): void;
  /** Takes one away permanently. */
  remove(url: string): void;
  /** The servers that get requests at this moment. */
  ready(): string[];
  /** How many requests each server was given. */
  counts(): Map<string, number>;
  stop(): void;
};

type Place = { url: string; upstream: Upstream; isReady: boolean; missed: number };

const mostMissed = 3;

// What goes from one connection to the next, and what the answer's way to the caller decides again.
const perHop = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host"]);

/** Starts a proxy that asks each server whether it is ready, `probeMs` after the last answer. */
export const startRoundRobin = (probeMs = 100): RoundRobin => {
  const places: Place[] = [];
  const given = new Map<string, number>();
  let turn = 0;

  const probe = async (place: Place): Promise<void> => {
    try {
      // Of its own connection each time, as the probes of proxies are.
      const { status } = await fetch(`${place.url}/api/ready`, {
        keepalive: false,
        signal: AbortSignal.timeout(3_000),
      });
      place.isReady = status === 200;
      place.missed = 0;
    } catch (error) {
      // No answer in time may be a busy machine's; no one at the door is no one there.
      place.missed += 1;
      const isLate = Reflect.get(Object(error), "name") === "TimeoutError";
      if (!isLate || place.missed >= mostMissed) place.isReady = false;
    }
  };
  let isStopped = false;
  const watch = async (place: Place): Promise<void> => {
    while (!isStopped && places.includes(place)) {
      await probe(place);
      await Bun.sleep(probeMs);
    }
  };

  const next = (): Place | undefined => {
    const ready = places.filter(({ isReady }) => isReady);
    turn += 1;
    return ready[turn % ready.length];
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    fetch: async (request) => {
      const place = next();
      if (place === undefined) return badGateway("no server is ready");
      given.set(place.url, (given.get(place.url) ?? 0) + 1);
      const body = new Uint8Array(await request.arrayBuffer());
      try {
        return toResponse(await place.upstream.send(headOf(request, body), body, request.method === "HEAD"));
      } catch (error) {
        return badGateway(`${place.url}: ${error}`);
      }
    },
  });

  return {
    origin: `http://localhost:${server.port}`,
    add: (url) => {
      const place = { url, upstream: createUpstream(Number(new URL(url).port)), isReady: false, missed: 0 };
      places.push(place);
      void watch(place);
    },
    remove: (url) => {
      const at = places.findIndex((place) => place.url === url);
      for (const { upstream } of places.splice(at, at < 0 ? 0 : 1)) upstream.close();
    },
    ready: () => places.filter(({ isReady }) => isReady).map(({ url }) => url),
    counts: () => given,
    stop: () => {
      isStopped = true;
      for (const { upstream } of places) upstream.close();
      void server.stop(true);
    },
  };
};

const badGateway = (message: string): Response => Response.json({ message }, { status: 502 });

const headOf = (request: Request, body: Uint8Array): string => {
  const { host, pathname, search } = new URL(request.url);
  const kept = [...request.headers].filter(([name]) => !perHop.has(name));
  const lines = [
    `${request.method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    ...(body.byteLength > 0 || request.method !== "GET" ? [`content-length: ${body.byteLength}`] : []),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
};

const toResponse = ({ status, headers, body }: UpstreamAnswer): Response => {
  const kept = headers.filter(([name]) => !perHop.has(name));
  return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), {
    status,
    headers: kept,
  });
};
