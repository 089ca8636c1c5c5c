import { describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { rawCall } from "#api/testing/raw-call.ts";
import { createHostRule, isCanonicalPath, loggedPath, splitTarget } from "./target.ts";

const noPage = () => new Response("no such page", { status: 404 });

const host = await hostForFile({ pages: { respond: noPage } });

describe("Z6: methods", () => {
  test("HEAD of a page of data has its headers and no body", async () => {
    const admin = await host.signedIn("admin");
    const response = await admin.call("HEAD", "/api/admin");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(await response.text()).toBe("");
  });

  test("HEAD never runs a GET that changes something", async () => {
    const user = await host.signedIn("user");
    const before = await contentsOf(host.db);
    expect((await user.call("HEAD", "/api/auth/logout")).status).toBe(405);
    expect((await user.call("HEAD", "/api/auth/verify-email/none")).status).toBe(405);
    expect(await contentsOf(host.db)).toEqual(before);
    expect((await user.call("GET", "/api/auth/user")).status).toBe(200);
  });

  test("GET and HEAD with a body are refused, at pages and calls alike; a length of nothing is none", async () => {
    const admin = await host.signedIn("admin");
    for (const headers of [{ "content-length": "5" }, { "transfer-encoding": "chunked" }])
      for (const method of ["GET", "HEAD"])
        for (const path of ["/", "/api/health", "/api/admin", "/api/nothing"]) {
          const { status } = await rawCall(host, admin, { method, path, body: null, headers });
          expect([method, path, headers, status]).toEqual([method, path, headers, 400]);
        }
    const none = { method: "GET", path: "/api/admin", body: null, headers: { "content-length": "0" } };
    expect((await rawCall(host, admin, none)).status).toBe(200);
  });

  test("an override header does not change the method", async () => {
    const user = await host.signedIn("user");
    const before = await contentsOf(host.db);
    for (const name of ["x-http-method-override", "x-http-method", "x-method-override", "x-method"]) {
      const response = await user.call("GET", "/api/auth/user", undefined, { [name]: "POST" });
      expect([name, response.status]).toEqual([name, 200]);
    }
    expect(await contentsOf(host.db)).toEqual(before);
  });
});

/** Forty ways to write what a careless reader would take for `path`, as they could come off the wire. */
const spellingsOf = (path: string): string[] => [
  ...["/", "//", "/.", "/..", "/./", "/../", "%2f", "%2F", "..%2f", "%5c", "\\"].map((end) => path + end),
  ...["%00", "%0a", "%0d%0a", "%09", "%20", "%23", "%3f", "%c0%af", "%e2%80%8b", "."].map(
    (end) => path + end,
  ),
  ...[";", ";x=1", "%3bx=1", ".json", "~", "%"].map((end) => path + end),
  ...["/", "/.", "/x/..", "/%2e", "/%2e%2e", "/%00", "/;"].map((start) => start + path),
  ...[
    "/api//",
    "/api/./",
    "/api/x/../",
    "/api%2f",
    "/api%252f",
    "/api\\",
    "/api;x=1/",
    "/API/",
    "/ap%69/",
  ].map((prefix) => path.replace("/api/", prefix)),
  path.replace("/a", "/%61"),
  path.replace(/[a-z]$/, (letter) => letter.toUpperCase()),
  path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
];

/** What an answer tells, without what is different in each. */
const told = async (response: Response) => ({
  status: response.status,
  text: (await response.text()).replace(/"requestId":"[0-9a-f-]{36}"/, ""),
});

describe("Z5: other spellings of a path", () => {
  const ask = async (client: TestClient, path: string) =>
    told(await rawCall(host, client, { method: "GET", path, body: null }));

  const paths: [path: string, status: number][] = [
    ["/api/admin", 200],
    ["/api/admin/users", 200],
    ["/api/system/info", 200],
    ["/api/auth/user", 200],
    ["/api/auth/verify-email/none", 400],
  ];
  // What is only another token, or what is left of one, has the route's own answer: whoever follows a link that came mangled
  // is told so.
  const otherToken = /^\/api\/auth\/verify-email\//;

  for (const [path, status] of paths) {
    const spellings = [...new Set(spellingsOf(path))].filter((spelling) => !otherToken.test(spelling));
    test(`all ${spellings.length} of ${path} are answered as what does not exist, for an admin too`, async () => {
      expect(spellings.length).toBeGreaterThanOrEqual(path.includes("verify-email") ? 15 : 40);
      const admin = await host.signedIn("admin");
      expect((await ask(admin, path)).status).toBe(status);
      const unknownCall = await ask(admin, "/api/nothing/here");
      const unknownPage = await ask(admin, "/nothing/here");
      expect([unknownCall.status, unknownPage.status]).toEqual([404, 404]);
      for (const spelling of spellings) {
        const expected = /^\/api(?:\/|$)/.test(spelling) ? unknownCall : unknownPage;
        expect([spelling, await ask(admin, spelling)]).toEqual([spelling, expected]);
      }
    });
  }
});

describe("Z5: a path has one reading or none", () => {
  for (const path of [
    "/",
    "/api/auth/user",
    "/api/auth/verify-email/Ab_-9",
    "/assets/app-1a2b.js",
    "/api/x/a.b@c",
  ])
    test(`${path} is canonical`, () => expect(isCanonicalPath(path)).toBe(true));
  for (const path of [
    "//api/auth/user",
    "/api//auth/user",
    "/api/./auth/user",
    "/api/../api/auth/user",
    "/api/auth/user/",
    "/api/auth/user/.",
    "/api/auth/%75ser",
    "/api%2fauth%2fuser",
    "/api/auth/user%00",
    "/api/auth/user;x=1",
    "/api\\auth\\user",
    "/.env",
    "/api/.git/config",
    "/api/auth/user\u0000",
    "/api/ auth",
    "",
    "api",
  ])
    test(`${JSON.stringify(path)} is not`, () => expect(isCanonicalPath(path)).toBe(false));
});

test("a target is split at the first question mark, and the path is kept unchanged", () => {
  expect(splitTarget("http://localhost:3000/a/../b?c=/d?e")).toEqual({ path: "/a/../b", search: "?c=/d?e" });
  expect(splitTarget("http://localhost:3000")).toEqual({ path: "/", search: "" });
});

test("a target without an origin, as it comes without a usable Host, is its own path", () => {
  expect(splitTarget("/api/ready?a=/b")).toEqual({ path: "/api/ready", search: "?a=/b" });
  expect(splitTarget("/x?u=http://localhost/api/ready")).toEqual({
    path: "/x",
    search: "?u=http://localhost/api/ready",
  });
  expect(splitTarget("//localhost/api/ready")).toEqual({ path: "//localhost/api/ready", search: "" });
});

test("a logged path contains nothing that could be a token", () => {
  const token = "dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBpcyBpdD8";
  expect(loggedPath("/api/auth/user")).toBe("/api/auth/user");
  expect(loggedPath(`/verify-email/${token}`)).toBe("/verify-email/…");
  expect(loggedPath(`/api/${token}/settings`)).toBe("/api/…/settings");
  expect(loggedPath(`/${"a-long-word-of-a-path/".repeat(20)}`)).toHaveLength(100);
});

const isOurs = createHostRule("https://atrium.example", ["Other.example", "a", "10.0.0.11"]);

describe("T3: the Host header", () => {
  for (const host of [
    "atrium.example",
    "ATRIUM.example",
    "atrium.example:443",
    "other.example",
    "localhost:3000",
    "[::1]:3000",
    "10.0.0.11:3000",
  ])
    test(`${host} is served`, () => expect(isOurs(host)).toBe(true));
  for (const host of [
    null,
    "",
    "evil.example",
    "evil-atrium.example",
    "evil.localhost",
    "atrium.example.evil.example",
    "atrium.example, evil.example",
    "evil.example/x?",
    "atrium.example:443@evil.example",
    ":443@evil.example",
    "atrium.example:999999",
    "a",
    "user@atrium.example",
    "10.0.0.12",
    "atrium.example#",
    "[::1",
  ])
    test(`${JSON.stringify(host)} is not`, () => expect(isOurs(host)).toBe(false));
});
