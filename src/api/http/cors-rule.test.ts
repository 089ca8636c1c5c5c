import { beforeEach, describe, expect, test } from "bun:test";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { limitHeadersOf, remainingRequests } from "#api/testing/limit-headers.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { createCorsRule } from "./origin.ts";

const listed = "https://app.example";
const other = "http://localhost:5173";
const settings = createFixedSettings();
const host = await hostForFile({ settings, corsOrigins: [listed, other] });
beforeEach(() => {
  settings.setCore(limitedCore());
  host.clock.advance(3_600_000);
});

const ask = (origin: string | null, path = "/api/auth/providers", init: RequestInit = {}) =>
  host.request(path, { ...init, headers: { ...init.headers, ...(origin === null ? {} : { origin }) } });
const preflight = (origin: string | null, path: string, method = "POST") =>
  ask(origin, path, {
    method: "OPTIONS",
    headers: { "access-control-request-method": method, "access-control-request-headers": "content-type" },
  });

/** The headers that let another site in, those of them that an answer has. */
const letIn = ({ headers }: Response) =>
  [...headers].filter(([name]) => name.startsWith("access-control-")).map(([name]) => name);
const varies = ({ headers }: Response): string[] =>
  (headers.get("vary") ?? "").split(",").map((name) => name.trim().toLowerCase());

test("Vary names Origin once, also in a cached response", () => {
  const told = (vary: string): string | null => {
    const headers = new Headers({ vary });
    createCorsRule([]).mark(new Request("http://localhost/"), headers);
    return headers.get("vary");
  };
  expect(told("origin, accept-encoding")).toBe("origin, accept-encoding");
  expect(told("cookie")).toBe("cookie, Origin");
  expect(told("x-origin")).toBe("x-origin, Origin");
});

describe("C4: an origin is allowed only if it is listed exactly:", () => {
  const origins: [origin: string | null, isListed: boolean][] = [
    [listed, true],
    [other, true],
    [null, false],
    ["", false],
    ["null", false],
    ["*", false],
    ["http://app.example", false],
    ["ftp://app.example", false],
    ["https://app.example:443", false],
    ["https://app.example:8443", false],
    ["https://app.example/", false],
    ["https://app.example/path", false],
    ["https://app.example?x=1", false],
    ["https://app.example#x", false],
    ["https://app.example.", false],
    ["https://app.example.evil.example", false],
    ["https://app.example@evil.example", false],
    ["https://user@app.example", false],
    ["https://user:password@app.example", false],
    ["https://evil-app.example", false],
    ["https://evilapp.example", false],
    ["https://www.app.example", false],
    ["https://app.exampl", false],
    ["https://app.examples", false],
    ["https://app-example", false],
    ["HTTPS://APP.EXAMPLE", false],
    ["https://App.example", false],
    ["https:// app.example", false],
    ["https:app.example", false],
    ["//app.example", false],
    ["app.example", false],
    [`${listed}, ${other}`, false],
    [`${listed} ${other}`, false],
    ["https://%61pp.example", false],
    ["https://аpp.example", false],
    ["http://localhost", false],
    ["http://localhost:51730", false],
    ["http://127.0.0.1:5173", false],
    ["http://localhost:3000", false],
    ["chrome-extension://app.example", false],
  ];
  test.each(origins)("%s: %p", async (origin, isListed) => {
    // A header cannot hold letters beyond Latin-1: browsers send such names in punycode, others in whatever bytes.
    const sent = origin === null ? null : Buffer.from(origin).toString("latin1");
    for (const [path, status] of [
      ["/api/auth/providers", 200],
      ["/api/auth/user", 401],
      ["/api/nothing/here", 404],
    ] as const) {
      const response = await ask(sent, path);
      expect(response.status).toBe(status);
      expect(response.headers.get("access-control-allow-origin")).toBe(isListed ? sent : null);
      expect(response.headers.get("access-control-allow-credentials")).toBe(isListed ? "true" : null);
      expect(varies(response)).toContain("origin");
      if (!isListed) expect(letIn(response)).toEqual([]);
    }
    const asked = await preflight(sent, "/api/auth/login");
    expect(asked.status).toBe(isListed ? 204 : 405);
    if (!isListed) expect(letIn(asked)).toEqual([]);
  });

  test("only under a host name of this server", async () => {
    for (const path of ["/api/auth/providers", "/api/nothing/here", "/api/health"]) {
      const answer = await ask(listed, path, { headers: { host: "evil.example" } });
      expect(answer.status).toBe(path === "/api/health" ? 200 : 421);
      expect(letIn(answer)).toEqual([]);
    }
  });

  test("a list with a wildcard or the null origin allows no origin", async () => {
    const rule = createCorsRule(["*", "null"]);
    for (const origin of ["*", "null", "https://evil.example"]) {
      const headers = new Headers();
      rule.mark(new Request("http://localhost/", { headers: { origin } }), headers);
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("C4: a listed origin", () => {
  test("can read the exposed headers, also of refusals", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    for (let call = 0; call < 10; call += 1) await ask(listed);
    const refused = await ask(listed);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("access-control-allow-origin")).toBe(listed);
    expect(refused.headers.get("access-control-expose-headers")?.split(", ")).toEqual([
      "x-request-id",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "Content-Disposition",
    ]);
  });

  test("is told what it can send to a path, without counting", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    const paths: [path: string, methods: string[]][] = [
      ["/api/auth/login", ["POST"]],
      ["/api/auth/logout", ["GET", "POST"]],
      ["/api/admin/users/somebody", ["GET", "DELETE"]],
    ];
    for (let round = 0; round < 5; round += 1)
      for (const [path, methods] of paths) {
        const answer = await preflight(listed, path);
        const allowed = answer.headers.get("access-control-allow-methods")?.split(", ") ?? [];
        expect([path, answer.status, allowed.sort()]).toEqual([path, 204, methods.sort()]);
        expect(answer.headers.get("access-control-allow-origin")).toBe(listed);
        expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
        const sendable = answer.headers.get("access-control-allow-headers");
        for (const name of ["content-type", "authorization"]) expect(sendable).toContain(name);
        expect(Number(answer.headers.get("access-control-max-age"))).toBeGreaterThan(0);
        expect(varies(answer)).toContain("origin");
        expect([limitHeadersOf(answer).limit, await answer.text()]).toEqual([null, ""]);
      }
    expect(remainingRequests(await ask(listed))).toBe(9);
  });

  test("that asks for an unknown path, or sends no requested method, gets the usual response, and is counted", async () => {
    const unknown = await preflight(listed, "/api/nothing/here");
    const malformed = await preflight(listed, "/api//auth/login");
    const idle = await ask(listed, "/api/auth/login", { method: "OPTIONS" });
    expect([unknown, malformed, idle].map(({ status }) => status)).toEqual([404, 404, 405]);
    expect([unknown, malformed, idle].map(remainingRequests)).toEqual([99, 98, 97]);
  });

  test("cannot bypass the check of the host", async () => {
    const init = {
      method: "OPTIONS",
      headers: { host: "evil.example", "access-control-request-method": "POST" },
    };
    expect((await ask(listed, "/api/auth/login", init)).status).toBe(421);
  });
});

test("C4: scripts of other sites cannot read pages, listed or not", async () => {
  expect(letIn(await ask(listed, "/"))).toEqual([]);
});

test("C4: while CORS is off no origin is allowed, from the next request on", async () => {
  settings.setCore(limitedCore({}, { corsEnabled: false }));
  const answers = [await ask(listed), await preflight(listed, "/api/auth/login")];
  expect(answers.map(({ status }) => status)).toEqual([200, 405]);
  for (const answer of answers) expect([letIn(answer), varies(answer)]).toEqual([[], [""]]);
  settings.setCore(limitedCore());
  expect((await preflight(listed, "/api/auth/login")).status).toBe(204);
});
