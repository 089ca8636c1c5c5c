import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type RawAnswer, rawRequest } from "../driver/raw-request.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

let server: ServerProcess;
beforeAll(async () => {
  // Whatever holds then holds without it.
  server = await startServer({ env: { NODE_ENV: "development" } });
}, 60_000);
afterAll(async () => {
  const complaints = server.output().match(/"level":"(?:warn|error)".*/g) ?? [];
  expect(complaints).toEqual([]);
  // It lived through all of it, and still ends in order.
  expect(await server.stop()).toBe(0);
  removeFolder(server.dataDir);
});

const credentials = '{"email":"nobody@refused.example","password":"x"}';
const own = () => `Host: localhost:${new URL(server.url).port}`;
const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;
const get = (target: string, ...headers: string[]) => lines(`GET ${target} HTTP/1.1`, own(), ...headers);
const withHost = (...hosts: string[]) => lines("GET /api/auth/user HTTP/1.1", ...hosts);
const post = (headers: string[], body: string) =>
  lines("POST /api/auth/login HTTP/1.1", own(), "Content-Type: application/json", ...headers) + body;
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** A body of ours must be the envelope, with the request's own id; answers to HEAD have none. */
const checkEnvelope = ({ status, headers, body }: RawAnswer) => {
  if (body === "" || !headers.get("content-type")?.startsWith("application/json")) return;
  const envelope = JSON.parse(body);
  expect(envelope).toMatchObject({ success: false, code: expect.any(String), message: expect.any(String) });
  expect(envelope.requestId).toBe(headers.get("x-request-id"));
  expect(status).toBeGreaterThanOrEqual(400);
};

type Case = [title: string, bytes: () => string | Uint8Array, statuses: (number | null)[]];

const refusedWithinMs = 50;

/** Sends each on a connection of its own: refused with one of the statuses, `null` being a closed connection. */
const expectRefusals = (cases: Case[]) => {
  test.each(cases)("%s", async (title, bytes, statuses) => {
    const answer = await rawRequest(server.url, bytes());
    expect([title, statuses]).toEqual([title, expect.arrayContaining([answer.status])]);
    expect(answer.isClosed || answer.status !== null).toBe(true);
    // The best of a few: the machine may be busy with something else.
    let { ms } = answer;
    for (let more = 0; ms >= refusedWithinMs && more < 10; more += 1)
      ms = Math.min(ms, (await rawRequest(server.url, bytes())).ms);
    expect([title, ms < refusedWithinMs]).toEqual([title, true]);
    checkEnvelope(answer);
    expect(answer.body).not.toContain("evil");
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  });
};

// What Bun's own parser answers to a line that does not end as it should.
const unparsed = [400, 505];

describe("H1: a host that is not ours, or not one, is refused:", () => {
  const hosts = [
    "evil.example",
    "evil.example/x?",
    "evil.example:80@localhost",
    "localhost:3000@evil.example",
    "localhost:99999999",
    "localhost:x",
    "localhost/../x",
    "localhost#",
    "localhost,evil.example",
    "localhost.",
    "a b",
    "[::1",
    "x",
    "",
    "\u00ff\u00fe",
  ];
  expectRefusals([
    ...hosts.map((host): Case => [`Host: ${host}`, () => withHost(`Host: ${host}`), [421, 400]]),
    ["none", () => withHost(), [400]],
    ["none in HTTP/1.0", () => "GET /api/auth/user HTTP/1.0\r\n\r\n", [400, 421]],
    ["twice the same", () => withHost(own(), own()), [400, 421]],
    ["ours, then another", () => withHost(own(), "Host: evil.example"), [400, 421]],
    ["another, then ours", () => withHost("Host: evil.example", own()), [400, 421]],
    ["with a space before the colon", () => withHost(own().replace(":", " :")), [400]],
    [
      "another, behind our own address in the target",
      () => lines(`GET ${server.url}/api/auth/user HTTP/1.1`, "Host: evil.example"),
      [400, 421],
    ],
    ["another's address in the target", () => get("http://evil.example/api/auth/user"), [400, 401, 421]],
  ]);

  test("another's address in the target of a page leads nowhere but here", async () => {
    const answer = await rawRequest(server.url, get("http://evil.example/dashboard"));
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/login?from=%2Fdashboard");
  });

  test("the probes answer under any name, however short", async () => {
    for (const host of ["x", "web", "10.0.0.7:3000", "evil.example"]) {
      const answer = await rawRequest(server.url, lines("GET /api/health HTTP/1.1", `Host: ${host}`));
      expect([host, answer.status]).toEqual([host, 200]);
    }
  });
});

describe("H1: two readings of one request are refused:", () => {
  const length = credentials.length;
  expectRefusals([
    [
      "length and chunks",
      () => post([`Content-Length: ${length}`, "Transfer-Encoding: chunked"], `0\r\n\r\n${credentials}`),
      [400],
    ],
    [
      "chunks and length",
      () => post(["Transfer-Encoding: chunked", `Content-Length: ${length}`], chunked(credentials)),
      [400],
    ],
    ["two lengths", () => post([`Content-Length: ${length}`, "Content-Length: 5"], credentials), [400]],
    ...["-1", "+5", "abc", "0x10", "5, 5", "9".repeat(30), "1e3", ""].map(
      (value): Case => [
        `a length of "${value}"`,
        () => post([`Content-Length: ${value}`], credentials),
        [400],
      ],
    ),
    ...["chunked, chunked", "gzip, chunked", "identity", "xchunked", "chunked;q=1"].map(
      (value): Case => [
        `Transfer-Encoding: ${value}`,
        () => post([`Transfer-Encoding: ${value}`], chunked(credentials)),
        [400],
      ],
    ),
    ...["zz", "-1", "f".repeat(18), "5 "].map(
      (size): Case => [
        `a chunk of ${size} bytes`,
        () => post(["Transfer-Encoding: chunked"], `${size}\r\n${credentials}\r\n0\r\n\r\n`),
        [400],
      ],
    ),
    ["a folded header", () => get("/api/auth/user", "X-A: a\r\n b"), [400]],
    ["a bare CR", () => get("/api/auth/user", "X-A: a\rb"), [400]],
    ["a bare LF", () => get("/api/auth/user", "X-A: a\nX-B: b"), [400]],
    ["a NUL in a header", () => get("/api/auth/user", "X-A: a\0b"), [400]],
    ["A6: a NUL in a cookie", () => get("/api/auth/user", "Cookie: sid=a\0b"), [400]],
    ["a header without a name", () => get("/api/auth/user", ": x"), [400]],
    ["a header without a colon", () => get("/api/auth/user", "X"), [400]],
    ["line ends of LF alone", () => get("/api/auth/user").replaceAll("\r", ""), unparsed],
    ["a NUL in the target", () => get("/api/auth/user\0"), unparsed],
    ["a space in the target", () => get("/api/auth /user"), unparsed],
    ["a target without a slash", () => get("api/auth/user"), [400]],
    ["a version of its own", () => get("/").replace("1.1", "9.9"), unparsed],
    ["HTTP/2 without asking", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", unparsed],
    ["TLS on a plain port", () => Buffer.from("16030100a5010000a1030352", "hex"), unparsed],
    ["noise", () => Uint8Array.from({ length: 300 }, (_, at) => (at * 37) % 256), unparsed],
  ]);
});

describe("H1: a body where there is none is refused, and is not read as the next request:", () => {
  const length = `Content-Length: ${credentials.length}`;
  const chunks = "Transfer-Encoding: chunked";
  const reads = (method: string, target: string, header: string, body: string): Case => [
    `${method} ${target} with ${header}`,
    () => lines(`${method} ${target} HTTP/1.1`, own(), header) + body,
    [400],
  ];
  expectRefusals(
    ["GET", "HEAD"].flatMap((method) =>
      ["/", "/api/health", "/api/auth/user", "/api/nothing/here", "/assets/nothing.js"].flatMap((target) => [
        reads(method, target, length, credentials),
        reads(method, target, chunks, chunked(credentials)),
      ]),
    ),
  );

  test("a length of nothing is no body", async () => {
    expect((await rawRequest(server.url, get("/api/health", "Content-Length: 0"))).status).toBe(200);
  });
});

describe("H1: what is too much is refused:", () => {
  const tooLarge = "x".repeat(2_000_000);
  expectRefusals([
    ["a header of 64 KB", () => get("/api/auth/user", `X-A: ${"a".repeat(65_536)}`), [431]],
    ["a cookie of 64 KB", () => get("/api/auth/user", `Cookie: sid=${"a".repeat(65_536)}`), [431]],
    ["a thousand headers", () => get("/", ...Array.from({ length: 1_000 }, (_, at) => `X-${at}: a`)), [431]],
    ["an address of 8 KB", () => get(`/api/auth/user?${"a".repeat(8_200)}`), [414]],
    ["a page's address of 8 KB", () => get(`/${"a".repeat(8_200)}`), [414]],
    ["an address of 64 KB", () => get(`/${"a".repeat(65_536)}`), [414, 431]],
    ["2 MB that are announced", () => post(["Content-Length: 2000000"], ""), [413]],
    ["2 MB that are sent", () => post(["Content-Length: 2000000"], tooLarge), [413]],
    ["2 MB in one chunk", () => post(["Transfer-Encoding: chunked"], chunked(tooLarge)), [413]],
    ["100 MB that are announced", () => post(["Content-Length: 100000000"], ""), [413]],
    [
      "200,000 arrays in one another",
      () => post(["Content-Length: 400000"], "[".repeat(200_000) + "]".repeat(200_000)),
      [400],
    ],
    [
      "100,000 keys",
      () => {
        const body = `{${Array.from({ length: 90_000 }, (_, key) => `"${key}":1`).join(",")}}`;
        return post([`Content-Length: ${body.length}`], body);
      },
      [400],
    ],
  ]);

  test("a body over 1 MB that we answer ourselves comes back in the envelope", async () => {
    const answer = await rawRequest(server.url, post(["Transfer-Encoding: chunked"], chunked(tooLarge)));
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: "PAYLOAD_TOO_LARGE" });
  });
});

test("M1: a development mode that the environment asks for is not to be had: answers explain nothing", async () => {
  const body = '{"email":1,"extra":"evil"}';
  const answer = await rawRequest(server.url, post([`Content-Length: ${body.length}`], body));
  expect(answer.status).toBe(422);
  expect(Object.keys(JSON.parse(answer.body)).sort()).toEqual([
    "code",
    "errors",
    "message",
    "requestId",
    "success",
  ]);
  expect(answer.body).not.toContain("evil");
});

describe("Z6: a method that a path does not have changes nothing:", () => {
  expectRefusals(
    ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "DELETE", "PUT", "FOO", "get", "G ET", "\0"].map(
      (method): Case => [
        method,
        () => lines(`${method} /api/auth/logout HTTP/1.1`, own(), `Cookie: sid=${"A".repeat(43)}`),
        // Bun closes the connection without a word for a method that it has never heard of.
        [400, 403, 405, null],
      ],
    ),
  );
});

describe("H2: nothing but the pages is to be had:", () => {
  const paths = [
    "/.env",
    "/.git/config",
    "/.git/HEAD",
    "/.well-known/x",
    "/.DS_Store",
    "/data/app.key",
    "/package.json",
    "/manifest.json",
    "/index.html",
    "/src/ui/main.tsx",
    "/assets/",
    "/assets/../package.json",
    "/assets/%2e%2e/package.json",
    "/%2e%2e/package.json",
    "/%2e%2e%2fpackage.json",
    "/..%2f..%2fetc%2fpasswd",
    "/..%5c..%5cwindows",
    "//etc/passwd",
    "/favicon.svg.br",
    "/%00",
    "/%",
    "/%ff",
    "/a%0d%0ax-evil:y",
    "/admin%00",
    "/login%2f",
    "/LOGIN",
    "/api/../.env",
    "/api/%2e%2e/.env",
  ];
  expectRefusals(paths.map((path): Case => [path, () => get(path), [404]]));

  test("no script or style comes with its source map, and none names one", async () => {
    const page = await (await fetch(`${server.url}/`)).text();
    const files = [...page.matchAll(/\/assets\/[\w./-]+\.(?:js|css)/g)].map(([path]) => path);
    expect(files.length).toBeGreaterThan(0);
    for (const path of new Set(files)) {
      expect([path, await (await fetch(server.url + path)).text()]).not.toEqual([
        path,
        expect.stringContaining("sourceMappingURL"),
      ]);
      expect([path, (await fetch(`${server.url}${path}.map`)).status]).toEqual([path, 404]);
    }
  });
});
