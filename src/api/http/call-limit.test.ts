import { beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { activities, activityKinds } from "#api/db/schema.ts";
import { createFixedSettings, unlimitedCore } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, operatorClient, type TestHost, testOrigin } from "#api/testing/host.ts";
import { limitHeadersOf, remainingRequests } from "#api/testing/limit-headers.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { rawCall } from "#api/testing/raw-call.ts";
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
      const response = await operatorClient(host).call("GET", "/api/auth/providers");
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

describe("R1: from a peer that is not a trusted proxy", () => {
  test("a thousand requests with headers of other addresses are one client's: 100 pass, and the log has the peer", async () => {
    const names = ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip"];
    const counts = new Map<number, number>();
    for (let call = 0; call < 1_000; call += 1) {
      const address = `198.51.${call >> 8}.${call & 255}`;
      const name = names[call % names.length] ?? "";
      const headers = { [name]: name === "forwarded" ? `for=${address};proto=https` : address };
      const { status } = await ask("/api/auth/providers", { headers });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ 200: 100, 429: 900 });
    const ips = host.logs.filter(({ message }) => message === "request").map(({ fields }) => fields?.ip);
    expect([ips.length, [...new Set(ips)]]).toEqual([1_000, [stranger]]);
  });
});

describe("R2: through a trusted proxy", () => {
  const through = (forwardedFor: string, proxy = "127.0.0.1") =>
    ask("/api/auth/providers", { headers: { "x-forwarded-for": forwardedFor } }, proxy);
  /** What is left for each of the calls, made one after the other. */
  const rests = async (...chains: string[]) => {
    const all: number[] = [];
    for (const chain of chains) all.push(remainingRequests(await through(chain)));
    return all;
  };

  test("each visitor is a separate client, whatever they sent in the header", async () => {
    expect(await rests("198.51.100.1", "1.1.1.1, 198.51.100.1", "198.51.100.2")).toEqual([99, 98, 99]);
  });
  test("all spellings of an address, and all addresses of an IPv6 /64 network, are one client", async () => {
    const spellings = ["2001:db8::1", "2001:0DB8:0:0:0:0:0:1", "2001:db8:0:0:ffff:1:2:3"];
    expect(await rests(...spellings, "2001:db8:0:1::1")).toEqual([99, 98, 97, 99]);
    expect(await rests("198.51.100.3", "::ffff:198.51.100.3", "198.51.100.3:65000")).toEqual([99, 98, 97]);
  });
  test("the networks of one IPv6 /48 site share ten times the limit, which only a refusal shows", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    const statuses: number[] = [];
    for (let network = 0; network < 101; network += 1)
      statuses.push((await through(`2001:db8:9:${network.toString(16)}::1`)).status);
    expect([statuses.indexOf(429), statuses.length]).toEqual([100, 101]);
    const refused = await through("2001:db8:9:ffff::1");
    expect(refused.headers.get("ratelimit-policy")).toBe('"core";q=100;w=900');
    expect(remainingRequests(await through("2001:db8:a::1"))).toBe(9);
    expect(remainingRequests(await through("198.51.100.8"))).toBe(9);
  });
  test("refused requests of a network do not count for its site", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    for (let call = 0; call < 200; call += 1) await through("2001:db8:b::1");
    expect(remainingRequests(await through("2001:db8:b:1::1"))).toBe(9);
  });
  test("while Trust Proxy is off, all count as the proxy, from the next request on", async () => {
    expect(await rests("198.51.100.6", "198.51.100.7")).toEqual([99, 99]);
    settings.setCore(limitedCore({}, { trustProxy: false }));
    expect(await rests("198.51.100.6", "198.51.100.7")).toEqual([99, 98]);
    settings.setCore(limitedCore());
    expect(await rests("198.51.100.6", "198.51.100.7")).toEqual([98, 98]);
  });
});

describe("R4: nothing else in a request makes it another client's", () => {
  const json = { "content-type": "application/json" };
  const post = (body: string, headers: Record<string, string> = json) => ({ method: "POST", body, headers });
  const variants: [title: string, path: string, init: { method: string; body?: string; headers?: object }][] =
    [
      ["another field", "/api/auth/login", post('{"email":"a@b.example","password":"x","ip":"1.2.3.4"}')],
      ["another address to sign in with", "/api/auth/login", post('{"email":"c@b.example","password":"x"}')],
      ["a query", "/api/auth/login?x=1", post("{}")],
      ["another query", "/api/auth/login?client=2", post("{}")],
      ["a slash at the end", "/api/auth/login/", post("{}")],
      ["two slashes", "/api//auth/login", post("{}")],
      ["a dot", "/api/./auth/login", post("{}")],
      ["another case", "/api/AUTH/login", post("{}")],
      ["an escape", "/api/%61uth/login", post("{}")],
      ["a parameter", "/api/auth/login;v=2", post("{}")],
      ["another method", "/api/auth/login", { method: "PUT" }],
      ["a method of its own", "/api/auth/login", { method: "PROPFIND" }],
      ["a question", "/api/auth/login", { method: "OPTIONS" }],
      ["the head alone", "/api/auth/providers", { method: "HEAD" }],
      ["another host of ours", "/api/auth/login", post("{}", { ...json, host: "127.0.0.1:9" })],
      ["a foreign host", "/api/auth/login", post("{}", { ...json, host: "evil.example" })],
      ["another browser", "/api/auth/login", post("{}", { ...json, "user-agent": "Other/2.0" })],
      ["another language", "/api/auth/login", post("{}", { ...json, "accept-language": "tlh" })],
      ["a made-up session", "/api/auth/login", post("{}", { ...json, cookie: `sid=${"x".repeat(43)}` })],
      ["a token", "/api/auth/login", post("{}", { ...json, authorization: "Bearer x" })],
      ["another type", "/api/auth/login", post("{}", { "content-type": "text/plain" })],
      [
        "a client id",
        "/api/auth/login",
        post("{}", { ...json, "x-client-id": "7", "true-client-ip": "1.2.3.4" }),
      ],
    ];
  const call = (path: string, { method, body, headers }: (typeof variants)[number][2]) =>
    rawCall(host, host.visitor(), { method, path, body: body ?? null, headers: { ...headers } });

  test(`${variants.length} variants of a request have one counter, and all are refused when it is full`, async () => {
    for (const [index, [title, path, init]] of variants.entries())
      expect([title, remainingRequests(await call(path, init))]).toEqual([title, 99 - index]);
    await spend(100, "127.0.0.1");
    for (const [title, path, init] of variants)
      expect([title, (await call(path, init)).status]).toEqual([title, 429]);
  });

  test("a spelling that is not counted reaches no route", async () => {
    for (const path of ["/API/auth/login", "//api/auth/login", "/%61pi/auth/login", "/./api/auth/login"]) {
      const response = await call(path, post("{}"));
      expect([path, remainingRequests(response), await response.text()]).toEqual([path, Number.NaN, "page"]);
    }
  });
});
