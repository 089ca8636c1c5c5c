/** What the stub has seen of a request. */
type SeenRequest = { method: string; path: string; headers: Headers };

/** A server on loopback that answers S3 calls as a test says, for what no real server does when it is asked to. */
export type S3Stub = {
  origin: string;
  /** Everything that arrived, in order. */
  seen: SeenRequest[];
  stop(): void;
};

/** An answer, or `null` for silence until the end. */
export type Script = (request: SeenRequest, body: Uint8Array) => Response | null | Promise<Response | null>;

/** Starts a stub. */
export const startS3Stub = (script: Script): S3Stub => {
  const seen: SeenRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const recorded = { method: request.method, path: `${pathname}${search}`, headers: request.headers };
      seen.push(recorded);
      const answer = await script(recorded, new Uint8Array(await request.arrayBuffer()));
      return answer ?? new Promise<Response>(() => {});
    },
  });
  return { origin: `http://127.0.0.1:${server.port}`, seen, stop: () => void server.stop(true) };
};

/** An S3 error as servers send it. */
export const s3Error = (status: number, code: string, more = ""): Response =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${foreignWords}</Message>${more}</Error>`,
    { status, headers: { "content-type": "application/xml" } },
  );

/** What the stub says and no one may repeat. */
export const foreignWords = "words-of-the-server-canary";

/** A script that stores, reads and removes objects without asking for keys. */
export const plainStorage = (): Script => {
  const objects = new Map<string, Uint8Array>();
  return ({ method, path }, body) => {
    const name = path.split("?")[0] ?? "";
    if (method === "PUT") {
      objects.set(name, body.slice());
      return new Response(null, { headers: { etag: '"x"' } });
    }
    if (method === "DELETE") {
      objects.delete(name);
      return new Response(null, { status: 204 });
    }
    const found = objects.get(name);
    return found === undefined ? s3Error(404, "NoSuchKey") : new Response(found.slice());
  };
};
