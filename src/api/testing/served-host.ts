import { type TestClient, type TestHost, testOrigin } from "./host.ts";

/** A host that programs outside this process can call. */
export type ServedHost = { url: string; stop(): Promise<void> };

/**
 * Lets programs call a host over TCP. Who comes with one of `people`'s tokens acts as that person: their session is put in
 * the token's place.
 */
export const serveHost = (host: TestHost, people: Record<string, TestClient>): ServedHost => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      const person = people[headers.get("authorization")?.replace(/^Bearer /, "") ?? ""];
      if (person?.cookie) {
        headers.delete("authorization");
        headers.set("cookie", person.cookie);
        headers.set("origin", testOrigin);
      }
      headers.set("host", new URL(testOrigin).host);
      const body = request.body === null ? {} : { body: await request.arrayBuffer() };
      return host.request(`${pathname}${search}`, { method: request.method, headers, ...body });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};
