import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { r2Endpoint, settingsCalls } from "#api/testing/settings-calls.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import type { TokenScope } from "#contract/api-tokens.ts";
import { settingsTexts } from "#contract/settings.ts";

const fails = async () => ({
  ...{ isWorking: false, summary: "Connection refused by 10.0.0.7:6379", details: "" },
  steps: [{ name: "Connect", status: "failed" as const, message: "ECONNREFUSED", durationMs: 2 }],
});

let host: TestHost;
const tokens = new Map<TokenScope, ReturnType<typeof settingsCalls>>();
let admin: ReturnType<typeof settingsCalls>;
beforeAll(async () => {
  host = await createTestHost({
    hasher: createCheapHasher(),
    settings: "stored",
    connectionTests: { redis: fails, bucket: fails, rateLimiter: fails, provider: fails },
  });
  admin = settingsCalls(await host.signedIn("admin"));
  for (const scope of ["settings:write", "settings:security"] as const) {
    const { call } = await newTokenClient(host, { scopes: [scope] });
    tokens.set(
      scope,
      settingsCalls({ user: null, cookie: null, call: (...made) => call(made[0], made[1], made[2]) }),
    );
  }
});
afterAll(() => host.close());

const as = (scope: TokenScope) => {
  const calls = tokens.get(scope);
  if (calls === undefined) throw new Error(`there is no token with ${scope}`);
  return calls;
};

describe("a token with settings:write", () => {
  test.each([
    [{ rateLimiting: { enabled: false } }],
    [{ security: { helmetEnabled: false } }],
    [{ security: { trustProxy: false } }],
    [{ rateLimiting: { maxRequests: 321 }, security: { corsEnabled: false } }],
  ])("does not turn a security switch: %j", async (change) => {
    const before = await admin.core();
    const { status, answer } = await as("settings:write").saveCore(change);
    expect([status, answer.code]).toEqual([403, "FORBIDDEN"]);
    expect(String(answer.message)).toContain("settings:security");
    expect(await admin.core()).toEqual(before);
  });

  test("changes the rest of the limit, also where it repeats how the switches stand", async () => {
    const { status } = await as("settings:write").saveCore({
      ...{ rateLimiting: { enabled: true, maxRequests: 222 }, security: { helmetEnabled: true } },
    });
    expect(status).toBe(200);
  });

  test("does not change account settings, not even to what they are", async () => {
    const before = (await admin.tell("GET", "/accounts")).answer.data;
    for (const verification of ["always-choose", "same-browser"]) {
      const { status, answer } = await as("settings:write").tell("PUT", "/accounts", { verification });
      expect([status, answer.code]).toEqual([403, "FORBIDDEN"]);
      expect(String(answer.message)).toContain("settings:security");
    }
    expect((await admin.tell("GET", "/accounts")).answer.data).toEqual(before);
  });

  test("does not change services, and does not test connections", async () => {
    const change = { cloudflareR2: { bucket: "atrium-files", endpointS3: r2Endpoint() } };
    expect((await as("settings:write").save(change)).status).toBe(403);
    for (const path of ["/test-redis", "/test-r2", "/test-mail"])
      expect((await as("settings:write").tell("POST", path, {})).status).toBe(403);
  });

  test("reverts what it may change, and no switch that someone else changed", async () => {
    const idOf = async () => String(Reflect.get(Object((await admin.history())[0]), "id"));
    await admin.saveCore({ security: { helmetEnabled: false } });
    const refused = await as("settings:write").tell("POST", `/history/${await idOf()}/revert`);
    expect([refused.status, refused.answer.code]).toEqual([403, "FORBIDDEN"]);
    expect((await as("settings:security").tell("POST", `/history/${await idOf()}/revert`)).status).toBe(200);
    await admin.saveCore({ rateLimiting: { maxRequests: 456 } });
    expect((await as("settings:write").tell("POST", `/history/${await idOf()}/revert`)).status).toBe(200);
  });
});

test("a token with settings:security changes switches and everything else", async () => {
  const both = { rateLimiting: { enabled: false, maxRequests: 111 } };
  expect((await as("settings:security").saveCore(both)).status).toBe(200);
  expect((await admin.saveCore({ rateLimiting: { enabled: true } })).status).toBe(200);
  const accounts = { verification: "always-choose" };
  expect((await as("settings:security").tell("PUT", "/accounts", accounts)).status).toBe(200);
});

test("no token lets anyone register or loosens how users sign in, not even by a revert", async () => {
  const { call } = await newTokenClient(host, { scopes: ["*"] });
  const before = (await admin.tell("GET", "/accounts")).answer.data;
  const change = {
    ...{ registration: "domains", domains: ["b.example"], emailChange: "both", secondFactor: "off" },
    ...{ graceDays: 9, adminIdleMinutes: 60, adminSessionHours: 24 },
  };
  const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code];
  for (const [name, value] of Object.entries({ ...change, registration: "invite" })) {
    const refused = await call("PUT", "/api/auth/settings/accounts", { [name]: value });
    expect([name, ...(await codeOf(refused))]).toEqual([name, 403, "SESSION_REQUIRED"]);
  }
  expect((await admin.tell("GET", "/accounts")).answer.data).toEqual(before);
  expect((await admin.tell("PUT", "/accounts", change)).status).toBe(200);
  const path = `/api/auth/settings/history/${Reflect.get(Object((await admin.history())[0]), "id")}/revert`;
  expect(await codeOf(await call("POST", path))).toEqual([403, "SESSION_REQUIRED"]);
});

test("a token is not told why a connection failed, an admin is", async () => {
  const endpoint = { endpoint: "redis://cache.example:6379" };
  const told = await as("settings:security").tell("POST", "/test-redis", endpoint);
  expect([told.status, told.answer.message]).toEqual([422, settingsTexts.causeWithheld]);
  expect(JSON.stringify(told.answer)).not.toMatch(/10\.0\.0\.7|ECONNREFUSED/);
  const own = await admin.tell("POST", "/test-redis", endpoint);
  expect(JSON.stringify(own.answer)).toContain("ECONNREFUSED");
});
