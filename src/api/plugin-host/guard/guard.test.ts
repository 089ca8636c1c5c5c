import { beforeEach, describe, expect, test } from "bun:test";
import { noPlugins } from "#api/http/plugin-entrance.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { testPassword } from "#api/testing/host.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import type { GuardRule } from "#plugins/sdk/types.ts";
import { createGuard, type Guard } from "./guard.ts";

const plugin = "firewall";
const failed: string[] = [];
let guard: Guard;
const host = await hostForFile({
  entrance: (services) => {
    guard = createGuard({
      ...services,
      limiter: createLocalRateLimiter(services.clock),
      countryOf: (ip) => (ip === "203.0.113.9" ? "NO" : null),
      hookFailed: (name, reason) => void failed.push(`${name}: ${reason}`),
    });
    return { ...noPlugins, guard };
  },
});
const admin = await host.signedIn("admin");
const newRows = createActivityReader(host.services);
beforeEach(async () => {
  guard.remove(plugin);
  guard.remove("second");
  failed.length = 0;
  host.clock.advance(120_000);
  await newRows();
});

const from = async (ip: string, path = "/api/auth/user", headers: Record<string, string> = {}) =>
  (await host.request(path, { headers }, ip)).status;
const rule = (...rules: GuardRule[]) => guard.set(plugin, rules);
const badWords: GuardRule = { kind: "pattern", action: "block", in: ["path", "query"], contains: ["evil"] };

describe("an administrator", () => {
  const everything: GuardRule = { kind: "pattern", action: "block", in: ["path"], prefix: ["/"] };

  test("gets through whatever a plugin forbids, so that it can be taken back", async () => {
    for (const forbidding of [
      everything,
      { kind: "ip", action: "block", cidrs: ["203.0.113.0/24"] } satisfies GuardRule,
      { kind: "rate", key: "user", windowMs: 60_000, max: 1 } satisfies GuardRule,
    ]) {
      rule(forbidding);
      const ask = () =>
        host.request("/api/system/status", { headers: { cookie: admin.cookie ?? "" } }, "203.0.113.8");
      for (let times = 0; times < 3; times += 1) expect((await ask()).status).toBe(200);
    }
    const user = await host.signedIn("user");
    rule(everything);
    expect(await from("203.0.113.8", "/api/account", { cookie: user.cookie ?? "" })).toBe(403);
  });

  test("can sign in while texts or frequencies are forbidden, and not from a forbidden place", async () => {
    rule(everything);
    for (const path of ["/login", "/assets/app.js", "/api/auth/user"])
      expect(await from("203.0.113.8", path)).not.toBe(403);
    for (const path of ["/", "/.env", "/api/plugins"]) expect(await from("203.0.113.8", path)).toBe(403);
    rule({ kind: "ip", action: "block", cidrs: ["203.0.113.0/24"] });
    expect(await from("203.0.113.8", "/login")).toBe(403);
  });
});

describe("rules about addresses", () => {
  test("block what they list, and what stands before them may allow it", async () => {
    rule(
      { kind: "ip", action: "allow", cidrs: ["203.0.113.7", "2001:db8:1::/48"] },
      { kind: "ip", action: "block", cidrs: ["203.0.113.0/24", "2001:db8::/32"] },
    );
    expect(await from("203.0.113.8")).toBe(403);
    expect(await from("203.0.113.7")).toBe(401);
    expect(await from("::ffff:203.0.113.8")).toBe(403);
    expect(await from("2001:db8:2::1")).toBe(403);
    expect(await from("2001:db8:1::1")).toBe(401);
    expect(await from("198.51.100.1")).toBe(401);
    expect(guard.stats(plugin)).toEqual([
      { rule: 0, hits: 2 },
      { rule: 1, hits: 3 },
    ]);
  });

  test("stop an invalid token like anyone else, and let an administrator's through", async () => {
    const { made, call } = await newTokenClient(host);
    rule({ kind: "ip", action: "block", cidrs: ["203.0.113.0/24"] });
    const ask = () => call("GET", "/api/system/status", undefined, { peer: "203.0.113.8" });
    expect((await ask()).status).toBe(200);
    await admin.call("POST", `/api/admin/tokens/${made.id}/revoke`, { password: testPassword });
    expect((await ask()).status).toBe(403);
  });

  test("of one plugin are not undone by those of another", async () => {
    rule({ kind: "ip", action: "allow", cidrs: ["0.0.0.0/0"] });
    guard.set("second", [{ kind: "ip", action: "block", cidrs: ["203.0.113.0/24"] }]);
    expect(await from("203.0.113.8")).toBe(403);
  });

  test("or countries apply where a country is known", async () => {
    rule({ kind: "country", action: "block", codes: ["NO"] });
    expect(await from("203.0.113.9")).toBe(403);
    expect(await from("203.0.113.8")).toBe(401);
  });

  test("say that they cannot apply while nothing tells countries", () => {
    const limiter = createLocalRateLimiter(host.clock);
    const blind = createGuard({ ...host.services, limiter, countryOf: null, hookFailed: () => {} });
    blind.set(plugin, [{ kind: "country", action: "block", codes: ["NO"] }]);
    expect(blind.stats(plugin)).toEqual([{ rule: 0, hits: 0, inert: true }]);
  });
});

describe("rules about texts", () => {
  test("look into path, query and user agent, whatever their case and escapes", async () => {
    rule(
      { kind: "pattern", action: "block", in: ["path"], prefix: ["/wp-"], contains: ["/.git/"] },
      { kind: "pattern", action: "block", in: ["query"], contains: ["union select", "<script"] },
      { kind: "pattern", action: "block", in: ["user-agent"], prefix: ["sqlmap"], contains: ["nikto"] },
    );
    for (const [path, agent] of [
      ["/WP-login.php", "Mozilla"],
      ["/a/.git/config", "Mozilla"],
      ["/%77p-admin", "Mozilla"],
      ["/%2577p-admin", "Mozilla"],
      ["/api/x?q=1+UNION+Select+2", "Mozilla"],
      ["/api/x?q=%3Cscript%3E", "Mozilla"],
      ["/api/x?q=%FF%3Cscript", "Mozilla"],
      ["/", "SQLmap/1.0"],
      ["/", "a Nikto scan"],
    ] as const)
      expect([path, agent, await from("203.0.113.1", path, { "user-agent": agent })]).toEqual([
        path,
        agent,
        403,
      ]);
    for (const [path, agent] of [
      ["/api/a/wp-x", "Mozilla"],
      ["/api/x?q=union+of+select", "Mozilla"],
      ["/", "not sqlmap"],
    ] as const)
      expect([path, await from("203.0.113.1", path, { "user-agent": agent })]).not.toEqual([path, 403]);
  });

  test("only take note where they are told to", async () => {
    rule({ ...badWords, action: "log" });
    expect(await from("203.0.113.1", "/api/evil")).toBe(404);
    expect(guard.stats(plugin)).toEqual([{ rule: 0, hits: 1 }]);
    expect(await newRows()).toMatchObject([
      { pluginName: plugin, severity: "low", action: expect.stringContaining("Noticed") },
    ]);
  });
});

describe("rules about how often", () => {
  test("count each address, and each path where they say so, apart from the core's limit", async () => {
    rule({ kind: "rate", key: "ip+path", windowMs: 60_000, max: 2, message: "Slowly, please" });
    expect(await from("203.0.113.1", "/a")).toBe(200);
    expect(await from("203.0.113.1", "/a")).toBe(200);
    const answer = await host.request("/api/a", {}, "203.0.113.1");
    expect(answer.status).toBe(404);
    expect(await from("203.0.113.1", "/a")).toBe(429);
    expect(await from("203.0.113.1", "/b")).toBe(200);
    expect(await from("203.0.113.2", "/a")).toBe(200);
    for (const [at, status] of [200, 200, 429].entries())
      expect(await from(`2001:db8:9:1::${at + 1}`, "/a")).toBe(status);
    host.clock.advance(60_001);
    expect(await from("203.0.113.1", "/a")).toBe(200);
  });

  test("tell who is refused why, and for how long", async () => {
    rule({ kind: "rate", key: "ip", windowMs: 60_000, max: 1, message: "Slowly, please" });
    await from("203.0.113.1", "/api/account");
    const answer = await host.request("/api/account", {}, "203.0.113.1");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(JSON.parse(await answer.text())).toMatchObject({
      code: "RATE_LIMITED",
      message: "Slowly, please",
    });
    expect((await newRows()).map(({ pluginName, ip }) => [pluginName, ip])).toEqual([
      [plugin, "203.0.113.1"],
    ]);
  });

  test("count a user across IP addresses, and no one under a cookie of their choice", async () => {
    rule({ kind: "rate", key: "user", windowMs: 60_000, max: 2 });
    const call = async (ip: string, cookie: string) => from(ip, "/api/account", { cookie });
    const { cookie } = await host.signedIn("user");
    expect([await call("203.0.113.1", cookie ?? ""), await call("203.0.113.2", cookie ?? "")]).toEqual([
      200, 200,
    ]);
    expect(await call("203.0.113.3", cookie ?? "")).toBe(429);
    const invented = async () =>
      call("203.0.113.4", `sid=${crypto.randomUUID().replaceAll("-", "")}abcdefghijk`);
    expect([await invented(), await invented(), await invented()]).toEqual([401, 401, 429]);
  });
});

describe("a request that is blocked", () => {
  test("gets an id and no more, under which the log says why", async () => {
    rule(badWords);
    const user = await host.signedIn("user");
    await newRows();
    const answer = await user.call("GET", "/api/admin?q=evil");
    const id = answer.headers.get("x-atrium-block");
    expect(answer.status).toBe(403);
    expect(JSON.parse(await answer.text())).toEqual({
      ...{ success: false, code: "REQUEST_BLOCKED", message: "This request was blocked", requestId: id },
    });
    for (let more = 0; more < 5; more += 1) await from("127.0.0.1", "/api/admin?q=evil");
    expect(await newRows()).toMatchObject([
      { pluginName: plugin, type: "suspicious_activity", requestId: id, ip: "127.0.0.1", status: "warning" },
    ]);
  });

  test("for a page is answered with one that nothing can be run in", async () => {
    rule(badWords);
    const answer = await host.request("/evil", {}, "203.0.113.1");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toStartWith("default-src 'none'");
    expect(await answer.text()).toContain(answer.headers.get("x-atrium-block") ?? "none");
  });

  test("changes nothing for any sender", async () => {
    rule({ kind: "ip", action: "block", cidrs: ["127.0.0.1"] });
    const user = await host.signedIn("user");
    expect((await user.call("POST", "/api/auth/logout")).status).toBe(403);
    guard.remove(plugin);
    expect((await user.call("GET", "/api/auth/user")).status).toBe(200);
  });

  test("is never one of who watches the process, nor of the operator", async () => {
    rule({ kind: "ip", action: "block", cidrs: ["0.0.0.0/0", "::/0"] }, { ...badWords, contains: ["a"] });
    for (const path of ["/api/health", "/api/ready"]) expect(await from("203.0.113.1", path)).toBe(200);
    const request = new Request("http://localhost:3000/api/admin", { headers: { host: "localhost:3000" } });
    expect((await host.app.handle(request, { via: "socket" })).status).toBe(200);
  });
});

describe("hooks of native plugins", () => {
  test("see the request with its body, and may answer it", async () => {
    const seen: string[] = [];
    guard.setHooks(plugin, [
      async (request, { ip }) => {
        seen.push(`${request.method} ${ip} ${await request.text()}`);
        return request.url.includes("stop") ? new Response("stopped", { status: 418 }) : undefined;
      },
    ]);
    const stopped = await host.visitor().call("GET", "/api/stop");
    expect([stopped.status, await stopped.text()]).toEqual([418, "stopped"]);
    expect(stopped.headers.get("x-content-type-options")).toBe("nosniff");
    // The body is there for the route as well: its complaint is about the fields.
    expect((await host.visitor().call("POST", "/api/auth/login", { email: 1 })).status).toBe(422);
    expect(seen).toEqual(["GET 127.0.0.1 ", 'POST 127.0.0.1 {"email":1}']);
  });

  test("that throw, hang or answer nonsense let everything pass, and are told of", async () => {
    guard.setHooks(plugin, [
      () => {
        throw new Error("broken");
      },
      () => new Promise<never>(() => {}),
    ]);
    expect(await from("203.0.113.1")).toBe(401);
    expect(failed).toEqual([
      "firewall: request.before threw: broken",
      "firewall: request.before took longer than a second",
    ]);
  });
});

test("without rules and hooks nothing is asked", () => {
  expect(guard.isIdle).toBe(true);
  rule(badWords);
  expect(guard.isIdle).toBe(false);
  guard.set(plugin, []);
  expect(guard.isIdle).toBe(true);
  guard.setHooks(plugin, [() => undefined]);
  guard.remove(plugin);
  expect([guard.isIdle, guard.hasUserRules]).toEqual([true, false]);
});

test("a counter that fails lets requests pass, and says so in the log", async () => {
  const limiter = { ...createLocalRateLimiter(host.clock), take: () => Promise.reject(new Error("away")) };
  const failing = createGuard({ ...host.services, limiter, countryOf: null, hookFailed: () => {} });
  failing.set(plugin, [{ kind: "rate", key: "ip", windowMs: 1_000, max: 1 }]);
  const request = new Request("http://localhost:3000/");
  const facts = { request, requestId: "1", path: "/", search: "", userAgent: null, ip: "203.0.113.1" };
  const trace = { failure: null, isRecorded: false };
  expect(await failing.check({ ...facts, actor: { kind: "visitor" }, trace })).toBeNull();
  expect(host.logs.at(-1)?.message).toBe("a request could not be guarded");
});
