import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { PasswordHasher } from "#api/core/context.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import { loadPages } from "./pages.ts";

const password = "the-password-that-breaks";

/** Works for everybody but somebody with that password, for whom it throws what nobody expected. */
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

let host: TestHost;
let user: TestClient;
beforeAll(async () => {
  host = await createTestHost({ hasher: brokenHasher(), pages: loadPages({ appUrl: "http://localhost" }) });
  user = await host.signedIn("user");
});
afterAll(() => host.close());

const json = { "content-type": "application/json" };
const registration = { name: "Ada", email: "ada@example.test", password };

/** The address of a script that the built home page loads. */
const assetPath = async (): Promise<string> => {
  const home = await (await host.request("/")).text();
  return /\/assets\/[\w.-]+\.js/.exec(home)?.[0] ?? "/no-asset-found";
};

describe("C5: no answer can be sniffed, framed, or made to run what the policy does not name:", () => {
  const answers: [title: string, status: number, ask: () => Promise<Response>][] = [
    ["a page for visitors", 200, () => host.visitor().call("GET", "/")],
    ["a page with a session in it", 200, () => user.call("GET", "/dashboard")],
    ["a page of an unknown address", 404, () => host.visitor().call("GET", "/nothing/here")],
    ["a script", 200, async () => host.visitor().call("GET", await assetPath())],
    ["a picture", 200, () => host.visitor().call("GET", "/favicon.svg")],
    ["data", 200, () => user.call("GET", "/api/auth/user")],
    ["a refusal", 403, () => user.call("GET", "/api/admin")],
    ["an unknown call", 404, () => user.call("GET", "/api/nothing/here")],
    ["a body that is too large", 413, () => large()],
    ["a failure of the inside", 500, () => user.call("POST", "/api/auth/register", registration)],
    ["a foreign host", 421, () => host.request("/", { headers: { host: "evil.example" } })],
  ];
  const large = () =>
    host.request("/api/auth/register", { method: "POST", headers: json, body: "x".repeat(1_000_001) });

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
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.text()).not.toContain("a secret of the inside");
  });

  test("pages with a session are never stored, scripts are kept for ever", async () => {
    const stored = async (response: Promise<Response>) => (await response).headers.get("cache-control");
    expect(await stored(user.call("GET", "/dashboard"))).toBe("private, no-store");
    expect(await stored(user.call("GET", "/api/auth/user"))).toBe("no-store");
    expect(await stored(host.request(await assetPath()))).toBe("public, max-age=31536000, immutable");
  });
});
