import { beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#api/db/schema.ts";
import { createFixedFirewall, createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { limitHeadersOf } from "#api/testing/limit-headers.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { limits } from "#contract/limits.ts";
import { createTokenSource } from "./credentials.ts";
import { createPipeline } from "./pipeline.ts";
import { createRouteTable } from "./route-table.ts";
import { activeSwitches } from "./target.ts";

const most = 10;
const { windowMs } = limitedCore().rateLimiting;
const settings = createFixedSettings();
const host = await hostForFile({ settings });
const admin = await host.signedIn("admin");
const user = await host.signedIn("user");
beforeEach(() => {
  settings.setCore(limitedCore({ maxRequests: most }));
  host.clock.advance(windowMs);
});

type Call = (client: TestClient) => Promise<Response>;

/** How many of a few more calls than the limit are let through, and of how many nothing is told about it. */
const passed = async (client: TestClient, call: Call) => {
  let [through, uncounted] = [0, 0];
  for (let made = 0; made < most + 5; made += 1) {
    const response = await call(client);
    if (response.status !== 429) through += 1;
    if (limitHeadersOf(response).limit === null) uncounted += 1;
  }
  return { through, uncounted };
};
const counted = { through: most, uncounted: 0 };
const skipped = { through: most + 5, uncounted: most + 5 };

const at =
  (method: string, path: string, body?: unknown): Call =>
  (client) =>
    client.call(method, path, body);

describe("R5: with both switches on, the limit holds", () => {
  const forEverybody: [title: string, call: Call][] = [
    ["sign-in", at("POST", "/api/auth/login", {})],
    ["registration", at("POST", "/api/auth/register", {})],
    ["forgotten passwords", at("POST", "/api/auth/forgot-password", {})],
    ["resetting them", at("POST", "/api/auth/reset-password/none", {})],
    ["verification links, and new ones", at("POST", "/api/auth/resend-verification", {})],
    ["contact messages", at("POST", "/api/contact", {})],
    ["the first account", at("POST", "/api/auth/setup", {})],
    ["one's own account", at("GET", "/api/account")],
    ["unknown paths below those of admins", at("GET", "/api/admin/nothing/here")],
    ["wrong methods at those of admins", at("PATCH", "/api/admin/users")],
    ["unknown paths below those of plugins", at("GET", "/api/plugins/nothing/here")],
  ];
  test.each(forEverybody)("for %s, for every user, admins too", async (_title, call) => {
    expect(await passed(host.visitor(), call)).toEqual(counted);
    for (const client of [user, admin]) {
      host.clock.advance(windowMs);
      expect(await passed(client, call)).toEqual(counted);
    }
  });

  test.each(["GET", "POST"])(
    "for signing out with %s, which is counted and never refused",
    async (method) => {
      const leaving = await passed(host.visitor(), at(method, "/api/auth/logout"));
      expect(leaving).toEqual({ through: most + 5, uncounted: 0 });
      expect((await host.visitor().call("GET", "/api/auth/providers")).status).toBe(429);
    },
  );

  const adminPaths = ["/api/admin", "/api/admin/users", "/api/admin/activity", "/api/system/status"];
  test.each(adminPaths)("at %s for everyone except admins", async (path) => {
    const former = await host.signedIn("admin");
    await host.db
      .update(users)
      .set({ role: "user" })
      .where(eq(users.id, former.user?.id ?? ""));
    host.services.events.publish({ type: "user-changed", userId: former.user?.id ?? "" });
    const leaver = await host.signedIn("admin");
    await leaver.call("POST", "/api/auth/logout");
    const liar: TestClient = {
      ...host.visitor(),
      call: (method, asked) =>
        host.visitor().call(method, asked, undefined, { cookie: `sid=${"x".repeat(43)}`, "x-role": "admin" }),
    };
    for (const client of [host.visitor(), user, former, leaver, liar]) {
      host.clock.advance(windowMs);
      expect(await passed(client, at("GET", path))).toEqual(counted);
    }
  });

  test("for requests that another site makes in an admin's name", async () => {
    const forged = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const call: Call = (client) => client.call("POST", "/api/admin/users", {}, forged);
    expect(await passed(admin, call)).toEqual(counted);
  });
});

describe("R5: an admin", () => {
  test("is not counted on admin routes, even from an address that has used up its limit", async () => {
    await passed(host.visitor(), at("GET", "/api/auth/providers"));
    expect(await passed(admin, at("GET", "/api/admin"))).toEqual(skipped);
    expect(await passed(admin, at("POST", "/api/admin/users", {}))).toEqual(skipped);
    expect((await admin.call("GET", "/api/auth/user")).status).toBe(429);
  });
  test("is counted from the next request on once the switch is off", async () => {
    expect(await passed(admin, at("GET", "/api/admin"))).toEqual(skipped);
    settings.setCore(limitedCore({ maxRequests: most, skipAdminRoutes: false }));
    expect(await passed(admin, at("GET", "/api/admin"))).toEqual(counted);
  });
  test("whom the database cannot confirm counts as a visitor", async () => {
    const pipeline = pipelineWith(() => Promise.reject(new Error("away")));
    const statuses: number[] = [];
    for (let made = 0; made < most + 2; made += 1)
      statuses.push((await pipeline("/api/admin/thing", admin.cookie)).status);
    expect(statuses).toEqual([...Array.from({ length: most }, () => 500), 429, 429]);
  });
});

/** The pipeline alone, with routes as plugins have them. */
const pipelineWith = (find: () => null | Promise<never>) => {
  const declare = (method: string, path: string, access: string) => ({
    method,
    path,
    hooks: { access, scope: "all", proof: "none" },
  });
  const pipeline = createPipeline({
    services: host.services,
    routes: createRouteTable([
      declare("GET", "/api/plugins", "public"),
      declare("POST", "/api/plugins/:name/toggle", "admin"),
      declare("GET", "/api/plugins-of-others", "public"),
      declare("GET", "/api/admin/thing", "admin"),
    ]),
    sessions: { find, touch: () => false, looks: { asked: 0, read: 0 }, stop: () => {} },
    tokens: createTokenSource(host.services),
    pages: { respond: () => new Response("page") },
    answer: () => Response.json({}),
    writeObstacle: () => null,
    rateLimiter: createLocalRateLimiter(host.clock),
    draining: new AbortController().signal,
    allowedHosts: [],
    trustedProxies: [],
    corsOrigins: [],
  });
  return async (path: string, cookie: string | null = null, method = "GET") => {
    const headers = { host: "localhost:3000", origin: "http://localhost:3000", ...(cookie && { cookie }) };
    const request = new Request(`http://localhost:3000${path}`, { method, headers });
    return pipeline(request, { via: "tcp", peer: "203.0.113.7" });
  };
};

describe("R5: requests to plugin routes", () => {
  const visitor = () => host.visitor();
  const visits = limits.pluginCallsByVisitor;
  test("are not counted for signed-in users; routes with a similar path are", async () => {
    expect(await passed(user, at("GET", "/api/plugins"))).toEqual(skipped);
    expect(await passed(admin, at("POST", "/api/plugins/none/toggle", {}))).toEqual(skipped);
    const call = pipelineWith(() => null);
    expect(await passed(visitor(), () => call("/api/plugins-of-others"))).toEqual(counted);
  });
  test("are limited to 600 a minute for a visitor, also with an invalid session", async () => {
    const call = pipelineWith(() => null);
    const statuses = new Map<number, number>();
    for (let made = 0; made < visits + 5; made += 1) {
      const { status } = await call("/api/plugins", made % 2 === 0 ? null : `sid=${"x".repeat(43)}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [200, visits],
      [429, 5],
    ]);
    expect(limitHeadersOf(await call("/api/plugins/firewall/toggle", null, "POST"))).toEqual({
      policy: `"plugins";q=${visits};w=60`,
      limit: '"plugins";r=0;t=60',
      retryAfter: "60",
    });
    expect((await call("/api/plugins-of-others")).status).toBe(200);
    host.clock.advance(60_000);
    expect((await call("/api/plugins")).status).toBe(200);
  });
  test("are limited for visitors also while the firewall counts instead of the core", () => {
    const firewall = createFixedFirewall({
      ...{ installed: true, enabled: true, masterSwitchEnabled: true, rateLimitingEnabled: true },
    });
    const switches = activeSwitches({ settings, firewall });
    expect(switches).toMatchObject({ limit: null, pluginRoutesSkipped: {} });
  });
  test("are counted, also for admins, once their switch is off", async () => {
    settings.setCore(limitedCore({ maxRequests: most, skipPluginRoutes: false }));
    const call = pipelineWith(() => null);
    expect(await passed(visitor(), () => call("/api/plugins/firewall/toggle", null, "POST"))).toEqual(
      counted,
    );
    expect((await call("/api/plugins")).status).toBe(429);
  });
});
