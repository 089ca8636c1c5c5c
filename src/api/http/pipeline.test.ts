import { beforeEach, describe, expect, test } from "bun:test";
import { count } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import { mails, pendingRegistrations, sessions, users } from "#api/db/schema.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { testPassword } from "#api/testing/host.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile();
beforeEach(() => {
  host.mails.length = 0;
  host.logs.length = 0;
});

const registration = () => ({
  name: "Ada",
  email: `ada-${crypto.randomUUID()}@example.test`,
  password: "a fine long password",
});

/** How many rows stand in each table that a stranger's call could fill. */
const rowCounts = async () => {
  const tables = [users, sessions, pendingRegistrations, mails];
  return Promise.all(
    tables.map(async (table) => (await host.db.select({ rows: count() }).from(table))[0]?.rows),
  );
};

const envelope = async (response: Response) => {
  const body = JSON.parse(await response.text());
  expect(body.success).toBe(false);
  expect(body.requestId).toBe(response.headers.get("x-request-id"));
  return body;
};

describe("C1: forged requests", () => {
  const forged: [string, Record<string, string>][] = [
    ["from another origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["from a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["from a sibling host", { origin: "http://other.localhost:3000", "sec-fetch-site": "same-site" }],
  ];
  for (const [title, headers] of forged) {
    test(`${title} create no session and no account, and change nothing`, async () => {
      const { user } = await host.signedIn("user");
      const before = await rowCounts();
      const visitor = host.visitor();
      const calls: [string, unknown][] = [
        ["/api/auth/login", { email: user?.email, password: testPassword }],
        ["/api/auth/register", registration()],
      ];
      for (const [path, body] of calls) {
        const response = await visitor.call("POST", path, body, headers);
        expect(response.status).toBe(403);
        expect((await envelope(response)).code).toBe("CROSS_ORIGIN");
        expect(response.headers.get("set-cookie")).toBeNull();
      }
      expect(await rowCounts()).toEqual(before);
      expect(host.mails).toEqual([]);
    });
  }
  test("with the cookie but without an origin are refused too", async () => {
    const user = await host.signedIn("user");
    for (const method of ["POST", "GET"]) {
      const response = await host.request("/api/auth/logout", {
        method,
        headers: { cookie: user.cookie ?? "" },
      });
      expect((await envelope(response)).code).toBe("CROSS_ORIGIN");
    }
    expect((await user.call("GET", "/api/auth/user")).status).toBe(200);
  });
  test("requests of programs without cookie and origin are accepted", async () => {
    const response = await host.request("/api/auth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(registration()),
    });
    expect(response.status).toBe(201);
  });
});

describe("C3: bodies that are not JSON in UTF-8", () => {
  for (const type of [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "text/plain; application/json",
    "application/json; charset=utf-16",
    "application/json; charset=utf-7",
    "application/jsonp",
    "application/json, text/plain",
    "",
  ]) {
    test(`${type || "no content type"} is refused and changes nothing`, async () => {
      const before = await rowCounts();
      const headers = { origin: "http://localhost:3000", ...(type ? { "content-type": type } : {}) };
      const body = new TextEncoder().encode(JSON.stringify(registration()));
      const response = await host.request("/api/auth/register", { method: "POST", headers, body });
      expect(response.status).toBe(415);
      expect((await envelope(response)).code).toBe("UNSUPPORTED_MEDIA_TYPE");
      expect(await rowCounts()).toEqual(before);
    });
  }
  test("more than 1 MB is refused, announced or not", async () => {
    const large = JSON.stringify({ ...registration(), name: "x".repeat(1_000_001) });
    const announced = await host.visitor().call("POST", "/api/auth/register", undefined, {
      "content-type": "application/json",
      "content-length": String(large.length),
    });
    expect(announced.status).toBe(413);
    const streamed = await host.request("/api/auth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Blob([large]).stream(),
    });
    expect((await envelope(streamed)).code).toBe("PAYLOAD_TOO_LARGE");
  });
});

describe("T4: tokens and the log", () => {
  const token = "Tk9_-".repeat(9).slice(0, 43);

  test("the log shows a route's template, never the token in its path or query", async () => {
    await host.visitor().call("GET", `/api/auth/verify-email/${token}`);
    await host.visitor().call("GET", `/verify-email?token=${token}`);
    const lines = host.logs.filter(({ message }) => message === "request");
    expect(lines.map(({ fields }) => fields?.route)).toEqual([
      "/api/auth/verify-email/:token",
      "/verify-email",
    ]);
    expect(JSON.stringify(host.logs)).not.toContain(token);
  });

  test("no token is logged of requests that were refused before their route was known", async () => {
    const link = `/api/auth/verify-email/${token}`;
    const refused: [string, string, Record<string, string>][] = [
      ["POST", link, {}],
      ["PROPFIND", link, {}],
      ["GET", `${link}/`, {}],
      ["GET", `${link}%20`, {}],
      ["GET", `${link}.`, {}],
      ["GET", link.replace("/auth/", "//auth/"), {}],
      ["GET", link, { host: "evil.example" }],
      ["GET", `/verify-email/${token}`, {}],
      ["GET", `/verify-email&token=${token}`, {}],
    ];
    for (const [method, path, headers] of refused)
      await host.visitor().call(method, path, undefined, headers);
    expect(host.logs.filter(({ message }) => message === "request")).toHaveLength(refused.length);
    expect(JSON.stringify(host.logs)).not.toContain(token.slice(0, 20));
  });

  test("control characters of a user agent are not logged", async () => {
    await host.visitor().call("GET", "/api/health", undefined, { "user-agent": "Browser\u009b31m \u007f1" });
    expect(host.logs.at(-1)?.fields?.userAgent).toBe("Browser31m 1");
  });

  test("unknown paths without a token are logged", async () => {
    await host.visitor().call("GET", "/api/admin/web-performance-optimization");
    expect(host.logs.at(-1)?.fields?.route).toBe("/api/admin/web-performance-optimization");
  });
});

describe("failures", () => {
  test("a path of the API that does not exist is 404 in the envelope, an overlong address 414", async () => {
    expect((await envelope(await host.request("/api/unknown"))).code).toBe("NOT_FOUND");
    expect((await envelope(await host.request("/api"))).code).toBe("NOT_FOUND");
    expect((await envelope(await host.request(`/api/auth/user?x=${"x".repeat(9_000)}`))).code).toBe(
      "URI_TOO_LONG",
    );
  });
  test("a foreign Host is 421 for all but the probes", async () => {
    const headers = { host: "evil.example" };
    expect((await envelope(await host.request("/api/auth/user", { headers }))).code).toBe("MISDIRECTED_HOST");
    expect((await host.request("/", { headers })).status).toBe(421);
    expect((await host.request("/api/health", { headers })).status).toBe(200);
    expect((await host.request("/api/ready", { headers })).status).toBe(200);
  });
  test("a probe with a session cookie looks up no session, and extends none", async () => {
    const client = await host.signedIn("admin");
    host.clock.advance(2 * limits.sessionTouchMs);
    const before = await contentsOf(host.db);
    for (const path of ["/api/health", "/api/ready"]) {
      const answer = await client.call("GET", path);
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
    }
    expect(await contentsOf(host.db)).toEqual(before);
  });
  test("while writes would fail they are refused immediately with the reason, and reads still work", async () => {
    const user = await host.signedIn("user");
    host.obstruct(new AppError("STORAGE_FULL"));
    try {
      const refused = await user.call("POST", "/api/auth/register", registration());
      expect((await envelope(refused)).code).toBe("STORAGE_FULL");
      expect((await user.call("GET", "/api/auth/user")).status).toBe(200);
    } finally {
      host.obstruct(null);
    }
  });
});
