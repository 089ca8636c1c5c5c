import { beforeEach, describe, expect, test } from "bun:test";
import type { PasswordHasher } from "#api/core/context.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createFixedSettings, unlimitedCore } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { loadPages } from "./pages/pages.ts";

const password = "the-password-that-breaks";

/** Works for everyone but someone with that password, for whom it throws what no one expected. */
const brokenHasher = (): PasswordHasher => {
  const hasher = createCheapHasher();
  return {
    ...hasher,
    hash: async (typed) => {
      if (typed === password) throw new Error("a secret of the inside");
      return hasher.hash(typed);
    },
  };
};

const appUrl = "https://atrium.example";
const settings = createFixedSettings();
const host = await hostForFile({ appUrl, settings, hasher: brokenHasher(), pages: loadPages({ appUrl }) });
const user = await host.signedIn("user");
const admin = await host.signedIn("admin");
beforeEach(() => settings.setCore(unlimitedCore));

const json = { "content-type": "application/json" };
const registration = { name: "Ada", email: "ada@example.test", password };

/** The address of a script that the built home page loads. */
const assetPath = async (): Promise<string> => {
  const home = await (await host.request("/")).text();
  return /\/assets\/[\w.-]+\.js/.exec(home)?.[0] ?? "/no-asset-found";
};

const answers: [title: string, status: number, ask: () => Promise<Response>][] = [
  ["a page for visitors", 200, () => host.visitor().call("GET", "/")],
  ["a page with a session in it", 200, () => user.call("GET", "/dashboard")],
  ["a page that leads elsewhere", 302, () => host.visitor().call("GET", "/dashboard")],
  ["a page of an unknown address", 404, () => host.visitor().call("GET", "/nothing/here")],
  ["a file that is not there", 404, () => host.visitor().call("GET", "/nothing.js")],
  ["a method that pages do not have", 405, () => host.visitor().call("POST", "/")],
  ["a script", 200, async () => host.visitor().call("GET", await assetPath())],
  ["a script that is known", 304, async () => known(await assetPath())],
  ["a picture", 200, () => host.visitor().call("GET", "/favicon.svg")],
  ["data", 200, () => user.call("GET", "/api/auth/user")],
  ["a download", 200, () => admin.call("GET", "/api/admin/activity/export?format=csv")],
  ["a refusal", 403, () => user.call("GET", "/api/admin")],
  ["an unknown call", 404, () => user.call("GET", "/api/nothing/here")],
  ["an unknown method", 405, () => user.call("OPTIONS", "/api/auth/user")],
  ["an invalid body", 422, () => user.call("POST", "/api/auth/login", {})],
  [
    "an unreadable body",
    400,
    () => host.request("/api/auth/login", { method: "POST", headers: json, body: "{" }),
  ],
  ["a body that is too large", 413, () => large()],
  ["a failure of the inside", 500, () => user.call("POST", "/api/auth/register", registration)],
  ["a foreign host", 421, () => host.request("/", { headers: { host: "evil.example" } })],
  ["a browser that is sent back", 302, () => host.visitor().call("GET", "/api/auth/google")],
];
const large = () =>
  host.request("/api/auth/register", { method: "POST", headers: json, body: "x".repeat(1_000_001) });
const known = async (path: string) => {
  const etag = (await host.request(path)).headers.get("etag") ?? "";
  return host.request(path, { headers: { "if-none-match": etag } });
};

describe("C5: no answer can be sniffed, framed, or made to run what the policy does not name:", () => {
  test.each(answers)("%s", async (_title, status, ask) => {
    const response = await ask();
    const { headers } = response;
    expect(response.status).toBe(status);
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split(";").map((rule) => {
        const [name = "", ...sources] = rule.trim().split(/\s+/);
        return [name, sources.join(" ")];
      }),
    );
    for (const [name, sources] of policy)
      expect([name, sources]).not.toEqual([name, expect.stringContaining("unsafe-")]);
    for (const name of ["base-uri", "frame-ancestors"])
      expect([name, policy.get(name)]).toEqual([name, "'none'"]);
    expect(policy.get("object-src") ?? policy.get("default-src")).toBe("'none'");
    expect(policy.get("script-src") ?? policy.get("default-src")).not.toMatch(
      /(?:^|\s)(?:\*|https?:|data:|blob:)/,
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=31536000\b/);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    if (headers.get("content-type")?.startsWith("application/json")) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(policy.get("default-src")).toBe("'none'");
    }
    expect(await response.text()).not.toContain("a secret of the inside");
  });

  test("pages with a session are never stored, scripts are kept for ever", async () => {
    const stored = async (response: Promise<Response>) => (await response).headers.get("cache-control");
    expect(await stored(user.call("GET", "/dashboard"))).toBe("private, no-store");
    expect(await stored(user.call("GET", "/api/auth/user"))).toBe("no-store");
    expect(await stored(host.request(await assetPath()))).toBe("public, max-age=31536000, immutable");
  });
});

describe("C5: with what hardens browsers switched off, the very next answer is still not sniffed, framed, or told where one came from:", () => {
  const names = [
    "x-frame-options",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "permissions-policy",
    "strict-transport-security",
  ];
  const off = { ...unlimitedCore, security: { ...unlimitedCore.security, helmetEnabled: false } };

  test.each(answers)("%s", async (_title, status, ask) => {
    const hardened = (await ask()).headers;
    settings.setCore(off);
    const response = await ask();
    expect(response.status).toBe(status);
    for (const name of names) expect([name, response.headers.get(name)]).toEqual([name, null]);
    const left = [...hardened.keys()].filter((name) => !names.includes(name));
    expect([...response.headers.keys()].sort()).toEqual(left.sort());
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    settings.setCore(unlimitedCore);
    expect((await ask()).headers.get("content-security-policy")).toContain("; ");
  });

  test("a page that shows plugins keeps their frames on this site", async () => {
    settings.setCore(off);
    const { headers } = await admin.call("GET", "/admin/plugins");
    expect(headers.get("content-security-policy")).toBe("frame-src 'self'; frame-ancestors 'none'");
  });
});
