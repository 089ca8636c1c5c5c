import { afterAll, beforeAll, expect, test } from "bun:test";
import { type LiveFirewall, startLiveFirewall } from "#api/testing/live-firewall.ts";
import { rawRequest } from "../../../tests/driver/raw-request.ts";
import { type CorpusCase, coreCategories, readCases } from "../../../tests/fixtures/crs/read-cases.ts";

let live: LiveFirewall;
let server: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  live = await startLiveFirewall();
  await live.config({ masterSwitchEnabled: true });
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => live.host.app.handle(request, { via: "tcp", peer: "198.51.100.1" }),
  });
});
afterAll(async () => {
  await server.stop(true);
  await live.host.close();
});

/** As it goes over the wire: the corpus has what no client library would send. */
const bytesOf = ({ request: { method, path, query, headers, body } }: CorpusCase): Uint8Array => {
  const given = headers.filter(([name]) => !/^(?:content-length|connection|transfer-encoding)$/i.test(name));
  const hasHost = given.some(([name]) => name.toLowerCase() === "host");
  const head = [
    `${method} ${path}${query === "" ? "" : `?${query}`} HTTP/1.1`,
    ...(hasHost ? [] : ["Host: localhost"]),
    ...given.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
    "Connection: close",
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body ?? new Uint8Array()]);
};

/** How much of it is blocked. Whatever else becomes of it, the server took it for a request and answered. */
const blockedOf = async (cases: readonly CorpusCase[]): Promise<number> => {
  let blocked = 0;
  for (const one of cases) {
    const answer = await rawRequest(server.url.origin, bytesOf(one));
    expect([one.id, answer.status]).toEqual([one.id, expect.any(Number)]);
    expect(answer.status).toBeLessThan(500);
    if (answer.headers.has("x-atrium-block")) blocked += 1;
  }
  return blocked / cases.length;
};

// The figures that the firewall is held to; the engine's own tests have them by category.
test("F1: over raw sockets nine of ten attacks are blocked, and 1.5 % of what is honest at most", async () => {
  const cases = await readCases();
  const attacks = cases.filter(
    ({ kind, paranoia, category }) => kind === "attack" && paranoia === 1 && category in coreCategories,
  );
  expect(await blockedOf(attacks)).toBeGreaterThanOrEqual(0.9);
  expect(await blockedOf(cases.filter(({ isBenign }) => isBenign))).toBeLessThanOrEqual(0.015);
}, 120_000);
