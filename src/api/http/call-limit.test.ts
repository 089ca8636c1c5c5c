import { beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { activities, activityKinds } from "#api/db/schema.ts";
import { createFixedSettings, unlimitedCore } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, type TestHost, testOrigin } from "#api/testing/host.ts";
import { limitHeadersOf, remainingRequests } from "#api/testing/limit-headers.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";

const settings = createFixedSettings();
const host = await hostForFile({ settings });
beforeEach(() => {
  settings.setCore(limitedCore());
  // Whoever was counted before is forgotten.
  host.clock.advance(3_600_000);
  host.logs.length = 0;
});

const stranger = "203.0.113.7";
const floodedFrom = "203.0.113.66";
const ask = (path: string, init: RequestInit = {}, peer = stranger) => host.request(path, init, peer);
const spend = async (calls: number, peer = stranger) => {
  for (let call = 0; call < calls; call += 1) await ask("/api/auth/providers", {}, peer);
};

describe("a client's requests", () => {
  test("pass as often as the settings allow, each with the number left, and then are refused", async () => {
    const first = await ask("/api/auth/providers");
    expect(first.status).toBe(200);
    expect(limitHeadersOf(first)).toEqual({
      policy: '"core";q=100;w=900',
      limit: '"core";r=99;t=900',
      retryAfter: null,
    });
    await spend(98);
    host.clock.advance(60_500);
    const last = await ask("/api/auth/providers");
    expect([last.status, limitHeadersOf(last).limit]).toEqual([200, '"core";r=0;t=840']);
    const refused = await ask("/api/auth/providers");
    expect(limitHeadersOf(refused)).toEqual({
      policy: '"core";q=100;w=900',
      limit: '"core";r=0;t=840',
      retryAfter: "840",
    });
    expect(await readRefusal(refused)).toMatchObject({
      status: 429,
      code: "RATE_LIMITED",
      message: "Too many requests from this IP, please try again later.",
    });
    host.clock.advance(839_499);
    expect((await ask("/api/auth/providers")).status).toBe(429);
    host.clock.advance(1);
    expect((await ask("/api/auth/providers")).status).toBe(200);
  });

  test("are counted separately from those of others", async () => {
    await spend(100);
    expect((await ask("/api/auth/providers")).status).toBe(429);
    expect(remainingRequests(await ask("/api/auth/providers", {}, "203.0.113.8"))).toBe(99);
  });

  test("count also when they are unknown, malformed, forged, to another host or with another method", async () => {
    const forged = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const calls: [status: number, path: string, init?: RequestInit][] = [
      [404, "/api"],
      [404, "/api/unknown"],
      [404, "/api/auth//user"],
      [404, "/api/auth/user/"],
      [414, `/api/auth/user?x=${"x".repeat(9_000)}`],
      [405, "/api/auth/login"],
      [405, "/api/auth/login", { method: "OPTIONS" }],
      [405, "/api/auth/logout", { method: "HEAD" }],
      [403, "/api/auth/login", { method: "POST", headers: forged }],
      [421, "/api/auth/user", { headers: { host: "evil.example" } }],
      [415, "/api/auth/login", { method: "POST", body: "x" }],
      [401, "/api/auth/user"],
    ];
    for (const [index, [status, path, init]] of calls.entries()) {
      const response = await ask(path, init);
      expect([path, response.status, remainingRequests(response)]).toEqual([path, status, 99 - index]);
    }
    await spend(100 - calls.length);
    for (const [, path, init] of calls) expect([path, (await ask(path, init)).status]).toEqual([path, 429]);
  });

  test("that are limited send browsers back to the sign-in page", async () => {
    await spend(100);
    const response = await ask("/api/auth/google");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/login?error=auth_failed"]);
    const log = host.logs.find(({ message }) => message === "a browser was sent back");
    expect(log?.fields?.reason).toBe("RATE_LIMITED");
  });

  test("are refused before their body is read or their session looked up", async () => {
    const user = await host.signedIn("user");
    await spend(100);
    const request = new Request(`${testOrigin}/api/account/name`, {
      method: "PUT",
      headers: {
        host: "localhost:3000",
        origin: testOrigin,
        cookie: user.cookie ?? "",
        "content-type": "application/json",
      },
      body: "{}",
    });
    const response = await host.app.handle(request, { via: "tcp", peer: stranger });
    expect([response.status, request.bodyUsed]).toEqual([429, false]);
    expect(host.logs.findLast(({ message }) => message === "request")?.fields).toMatchObject({
      route: "/api/account/name",
      status: 429,
      user: "visitor",
    });
  });

  test("leave few rows in the activity log, however many are refused", async () => {
    await spend(600, floodedFrom);
    host.clock.advance(61_000);
    await spend(1, "203.0.113.9");
    await host.services.activity.settle();
    const rows = await host.db
      .select({ action: activities.action, ip: activities.ip, occurrences: activities.occurrences })
      .from(activities)
      .innerJoin(activityKinds, eq(activityKinds.id, activities.kindId))
      .where(and(eq(activityKinds.type, "suspicious_activity"), eq(activities.ip, floodedFrom)));
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(rows.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(500);
    for (const { action } of rows) expect(action).toBe("Called GET /api/auth/providers too often");
  });
});

describe("never counted are", () => {
  const unlimited = async (path: string, init?: RequestInit) => {
    await spend(101);
    const response = await ask(path, init);
    expect(response.status).not.toBe(429);
    expect(limitHeadersOf(response)).toEqual({ policy: null, limit: null, retryAfter: null });
  };
  test("health and readiness", async () => {
    for (const path of ["/api/health", "/api/ready", "/api/health?x=1"]) await unlimited(path);
  });
  test("pages and files", async () => {
    for (const path of ["/", "/login", "/assets/x.js", "/apix"]) await unlimited(path);
  });
  test("requests of the operator, who has no address", async () => {
    for (let call = 0; call < 150; call += 1) {
      const request = new Request("http://localhost/api/auth/providers");
      const response = await host.app.handle(request, { via: "socket" });
      expect([response.status, limitHeadersOf(response).limit]).toEqual([200, null]);
    }
  });
});

describe("a change of the settings applies from the next request on", () => {
  test("of the number, up and down", async () => {
    await spend(100);
    settings.setCore(limitedCore({ maxRequests: 150 }));
    expect(remainingRequests(await ask("/api/auth/providers"))).toBe(49);
    settings.setCore(limitedCore({ maxRequests: 50 }));
    const refused = await ask("/api/auth/providers");
    expect([refused.status, limitHeadersOf(refused).policy]).toEqual([429, '"core";q=50;w=900']);
  });
  test("of the window, of the message, and of whether there is a limit at all", async () => {
    await spend(100);
    settings.setCore(limitedCore({ message: "Slower, please" }));
    expect((await readRefusal(await ask("/api/auth/providers"))).message).toBe("Slower, please");
    host.clock.advance(60_000);
    settings.setCore(limitedCore({ windowMs: 60_000 }));
    expect(limitHeadersOf(await ask("/api/auth/providers")).policy).toBe('"core";q=100;w=60');
    settings.setCore(unlimitedCore);
    for (let call = 0; call < 150; call += 1) {
      const response = await ask("/api/auth/providers");
      expect([response.status, limitHeadersOf(response).limit]).toEqual([200, null]);
    }
  });
});

describe("a counter that", () => {
  const withLimiter = async (
    take: () => never | Promise<never>,
    check: (other: TestHost) => Promise<void>,
  ) => {
    const broken = { ...createLocalRateLimiter(host.clock), take };
    const other = await createTestHost({ settings, rateLimiter: broken });
    try {
      await check(other);
    } finally {
      await other.close();
    }
  };
  const faults: [title: string, take: () => never | Promise<never>][] = [
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
  ];
  test.each(faults)("%s lets requests pass, which is logged", (_title, take) =>
    withLimiter(take, async (other) => {
      expect((await other.request("/api/auth/providers")).status).toBe(200);
      expect((await other.request("/api/unknown")).status).toBe(404);
      const told = other.logs.filter(({ message }) => message === "a request could not be counted");
      expect(told).toHaveLength(2);
    }),
  );
  test("is remote refuses and lets pass in the same way", async () => {
    const local = createLocalRateLimiter(host.clock);
    const rateLimiter = {
      ...local,
      take: async (...asked: Parameters<typeof local.take>) => local.take(...asked),
    };
    const other = await createTestHost({ settings, rateLimiter });
    try {
      settings.setCore(limitedCore({ maxRequests: 10 }));
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => other.request("/api/auth/providers")),
      );
      const passed = answers.filter(({ status }) => status === 200);
      expect(passed).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
      expect((await other.request("/api/unknown")).status).toBe(429);
    } finally {
      await other.close();
    }
  });
});
