import { describe, expect, test } from "bun:test";
import { createEngine } from "../engine/engine.ts";
import { admin, adminIp, createSharedSettings, member } from "../testing/fake-ctx.ts";
import { createFakeKv } from "../testing/fake-kv.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";

const started = async (
  config: Record<string, boolean | number> = {},
  options = {},
): Promise<StartedPlugin> => {
  const plugin = await startPlugin(options);
  const answer = await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true, ...config } });
  expect([answer.status, answer.json]).toMatchObject([200, { success: true }]);
  return plugin;
};
const json = async (response: Response | null) => Object(await response?.json());

describe("the master switch", () => {
  test("off, nothing is asked of the inspector, and the core is left alone", async () => {
    const plugin = await startPlugin();
    expect([plugin.inspector()?.isIdle, plugin.manager()?.isManaging]).toEqual([true, false]);
    expect((await plugin.pass({ query: "q=attack" })).stopped).toBeNull();
  });

  test("on, the core is managed from the very next request, and what counts is told", async () => {
    const plugin = await started({ rateLimitingEnabled: true });
    expect([plugin.manager()?.isManaging, plugin.manager()?.isCounting]).toEqual([true, true]);
    await plugin.call("POST", "/off");
    expect([plugin.manager()?.isManaging, plugin.manager()?.isCounting]).toEqual([false, false]);
  });
});

describe("an attack", () => {
  test.each([
    ["path", { path: "/attack" }],
    ["query", { query: "q=attack" }],
    ["header", { headers: { referer: "attack" } }],
    ["cookie", { headers: { cookie: "a=attack" } }],
    ["body", { method: "POST", path: "/api/contact", body: "attack" }],
  ])("in the %s is blocked", async (_place, request) => {
    const plugin = await started();
    expect((await plugin.pass(request)).stopped?.status).toBe(403);
  });

  test("is answered in the usual envelope, with the id to ask for", async () => {
    const plugin = await started();
    const { stopped, id } = await plugin.pass({ path: "/api/x", query: "attack" });
    expect(await json(stopped)).toEqual({
      success: false,
      code: "BLOCKED_BY_FIREWALL",
      message: "This request was blocked",
      requestId: id,
    });
  });

  test("where a browser loads a page is answered by a page without scripts that shows the id", async () => {
    const plugin = await started();
    const { stopped, id } = await plugin.pass({ query: "attack", headers: { accept: "text/html,*/*" } });
    const page = (await stopped?.text()) ?? "";
    expect([stopped?.status, stopped?.headers.get("content-type")]).toEqual([
      403,
      "text/html; charset=utf-8",
    ]);
    expect(page).toContain(id);
    expect(page).not.toMatch(/<script|style=|<style/);
  });

  test("by a signed-in admin passes, and is written down with who it was", async () => {
    const plugin = await started();
    const { stopped, id } = await plugin.pass({ query: "q=attack", user: admin });
    expect(stopped).toBeNull();
    const { data } = Object((await plugin.call("GET", `/explain/${id}`)).json);
    expect(data.entry).toMatchObject({ verdict: "noticed", user: { name: "Ada" } });
    expect((await plugin.pass({ query: "q=attack", user: member })).stopped?.status).toBe(403);
  });

  test("below the threshold adds up over head and body, each pattern once", async () => {
    const plugin = await started({ threshold: 7 });
    const post = { method: "POST", path: "/x" };
    expect((await plugin.pass({ ...post, query: "odd", body: "odd odd" })).stopped).toBeNull();
    expect((await plugin.pass({ ...post, query: "odd", body: "attack" })).stopped?.status).toBe(403);
  });

  test("F2: hidden behind more than can be looked through is refused, not passed", async () => {
    const plugin = await started();
    const body = "x".repeat(70_000);
    expect((await plugin.pass({ method: "POST", path: "/x", body })).stopped?.status).toBe(403);
    expect((await plugin.pass({ method: "POST", path: "/x", body, user: admin })).stopped).toBeNull();
  });

  test("F2: packages may be larger than that, and only their bodies are not looked through", async () => {
    const plugin = await started({}, { makeEngine: createEngine });
    const upload = { method: "POST", path: "/api/plugins/upload", body: "x".repeat(70_000) };
    expect((await plugin.pass(upload)).stopped).toBeNull();
    const query = "q=%27%20or%201=1--";
    expect((await plugin.pass({ ...upload, query })).stopped?.status).toBe(403);
  });

  test("where an admin said that free text is welcome passes whole", async () => {
    const plugin = await started();
    const body = { method: "POST", path: "/api/notes" };
    await plugin.call("POST", "/exemptions", { body });
    expect((await plugin.pass({ ...body, body: "attack" })).stopped).toBeNull();
    expect((await plugin.pass({ ...body, path: "/api/notes2", body: "attack" })).stopped?.status).toBe(403);
  });

  test("by a pattern that is switched off passes", async () => {
    const plugin = await started();
    await plugin.call("PUT", "/patterns/1", { body: { isOn: false } });
    expect((await plugin.pass({ query: "attack" })).stopped).toBeNull();
  });
});

describe("in development mode", () => {
  test("what would be blocked passes with its id, and is written down", async () => {
    const plugin = await started({ developmentModeEnabled: true });
    const { stopped, headers, id } = await plugin.pass({ query: "attack" });
    expect([stopped, headers["x-atrium-would-block"]]).toEqual([null, id]);
    expect((await plugin.call("GET", `/explain/${id}`)).json).toMatchObject({
      data: { entry: { verdict: "would-block" } },
    });
  });

  test("rates and bans refuse all the same", async () => {
    const plugin = await started({ developmentModeEnabled: true, rateLimitingEnabled: true });
    const call = { path: "/api/x", ip: "198.51.100.2" };
    for (let count = 0; count < 3; count += 1) expect((await plugin.pass(call)).stopped).toBeNull();
    expect((await plugin.pass(call)).stopped?.status).toBe(429);
    await plugin.call("POST", "/bans", { body: { address: "198.51.100.3", minutes: 5 } });
    expect((await plugin.pass({ ip: "198.51.100.3" })).stopped?.status).toBe(403);
  });
});

describe("F4: addresses", () => {
  const list = (plugin: StartedPlugin, kind: string, address: string) =>
    plugin.call("POST", "/addresses", { body: { kind, address }, user: null });

  test("that are denied are kept out, admins' too, and development mode lets them in", async () => {
    const plugin = await started();
    await list(plugin, "deny", "198.51.100.0/24");
    expect((await plugin.pass({ ip: "198.51.100.77" })).stopped?.status).toBe(403);
    expect((await plugin.pass({ ip: "198.51.100.77", user: admin })).stopped?.status).toBe(403);
    expect((await plugin.pass({ ip: "198.51.101.1" })).stopped).toBeNull();
    await plugin.call("PUT", "/config", { body: { developmentModeEnabled: true } });
    expect((await plugin.pass({ ip: "198.51.100.77" })).headers["x-atrium-would-block"]).toBeString();
  });

  test("of a narrower entry follow that one, whichever kind it is", async () => {
    const plugin = await started();
    await list(plugin, "deny", "2001:db8::/32");
    await list(plugin, "allow", "2001:db8:1::/48");
    await list(plugin, "deny", "2001:db8:1::7");
    const isIn = async (ip: string) => (await plugin.pass({ ip })).stopped === null;
    expect([await isIn("2001:db8::1"), await isIn("2001:db8:1::1"), await isIn("2001:db8:1::7")]).toEqual([
      ...[false, true, false],
    ]);
  });

  test("that are allowed are asked neither for bans nor for countries, and for everything else", async () => {
    const plugin = await started({ rateLimitingEnabled: true });
    plugin.countries.set("198.51.100.5", "FR");
    await plugin.call("PUT", "/countries", { body: { mode: "deny", codes: ["fr"] }, user: null });
    await plugin.call("POST", "/bans", { body: { address: "198.51.100.5", minutes: 5 } });
    expect((await plugin.pass({ ip: "198.51.100.5" })).stopped?.status).toBe(403);
    await list(plugin, "allow", "198.51.100.5");
    expect((await plugin.pass({ ip: "198.51.100.5" })).stopped).toBeNull();
    expect((await plugin.pass({ ip: "198.51.100.5", query: "attack" })).stopped?.status).toBe(403);
    for (let count = 0; count < 3; count += 1) await plugin.pass({ ip: "198.51.100.5", path: "/api/x" });
    expect((await plugin.pass({ ip: "198.51.100.5", path: "/api/x" })).stopped?.status).toBe(429);
  });

  test("are let in again the moment that their entry expires", async () => {
    const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
    const plugin = await started({}, { clock });
    const body = { kind: "deny", address: "198.51.100.8", for: "30m" };
    await plugin.call("POST", "/addresses", { body, user: null });
    clock.nowMs += 30 * 60_000 - 1;
    expect((await plugin.pass({ ip: "198.51.100.8" })).stopped?.status).toBe(403);
    clock.nowMs += 1;
    expect((await plugin.pass({ ip: "198.51.100.8" })).stopped).toBeNull();
  });
});

describe("F4: countries", () => {
  test("that are denied, or are not allowed, are kept out; addresses of none get in", async () => {
    const plugin = await started();
    for (const [ip, code] of Object.entries({ "198.51.100.1": "FR", "198.51.100.2": "DE" }))
      plugin.countries.set(ip, code);
    const isIn = async (ip: string) => (await plugin.pass({ ip })).stopped === null;
    const all = async () => Promise.all(["198.51.100.1", "198.51.100.2", "198.51.100.3"].map(isIn));
    await plugin.call("PUT", "/countries", { body: { mode: "deny", codes: ["FR"] }, user: null });
    expect(await all()).toEqual([false, true, true]);
    await plugin.call("PUT", "/countries", { body: { mode: "allow" }, user: null });
    expect(await all()).toEqual([true, false, true]);
  });

  test("are said to do nothing where the server does not know them", async () => {
    const plugin = await startPlugin({ knowsCountries: false });
    const { data } = Object((await plugin.call("GET", "/countries")).json);
    expect(data.knowsCountries).toBe(false);
    expect(data.notice).toContain("GEOIP_DB");
  });
});

describe("bans", () => {
  const rules = {
    bansEnabled: true,
    banAfterBlocks: 3,
    banWindowMinutes: 1,
    banMinutes: 2,
    banMostMinutes: 6,
  };
  const ip = "2001:db8:0:1::5";

  test("follow repeated attacks, for longer each time up to the longest, for the whole /64 network", async () => {
    const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
    const plugin = await started(rules, { clock });
    const isIn = async () => (await plugin.pass({ ip: "2001:db8:0:1::6" })).stopped === null;
    for (const minutes of [2, 4, 6, 6]) {
      for (let count = 0; count < 3; count += 1) {
        expect(await isIn()).toBe(true);
        await plugin.pass({ ip, query: "attack" });
      }
      expect(await isIn()).toBe(false);
      clock.nowMs += minutes * 60_000 - 1;
      expect(await isIn()).toBe(false);
      clock.nowMs += 1;
    }
  });

  test("do not follow attacks that are far apart, that passed, or that an admin made", async () => {
    const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
    const plugin = await started(rules, { clock });
    for (let count = 0; count < 6; count += 1) {
      await plugin.pass({ ip, query: "attack" });
      await plugin.pass({ ip: "2001:db8:0:2::5", query: "attack", user: admin });
      clock.nowMs += 31_000;
    }
    expect((await plugin.pass({ ip })).stopped).toBeNull();
    expect((await plugin.pass({ ip: "2001:db8:0:2::5" })).stopped).toBeNull();
  });

  test("spare signed-in admins, and end when they are lifted", async () => {
    const plugin = await started(rules);
    await plugin.call("POST", "/bans", { body: { address: ip, minutes: 5 } });
    expect((await plugin.pass({ ip, user: admin })).stopped).toBeNull();
    expect((await plugin.pass({ ip, user: member })).stopped?.status).toBe(403);
    await plugin.call("POST", "/bans/lift", { body: { address: ip } });
    expect((await plugin.pass({ ip })).stopped).toBeNull();
  });

  test("and their end reach other servers at once, also one right after the other", async () => {
    const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
    const common = { clock, kv: createFakeKv(() => clock.nowMs), shared: createSharedSettings() };
    const one = await started(rules, common);
    const other = await startPlugin({ ...common, replica: "two" });
    for (const [path, body, stopped] of [
      ["/bans", { address: ip, minutes: 5 }, true],
      ["/bans/lift", { address: ip }, false],
      ["/bans", { address: ip, minutes: 5 }, true],
    ] as const) {
      await one.call("POST", path, { body });
      await Bun.sleep(0);
      expect([path, (await other.pass({ ip })).stopped !== null]).toEqual([path, stopped]);
    }
  });

  test("are never of the address that the acting admin is on", async () => {
    const plugin = await started(rules);
    const answer = await plugin.call("POST", "/bans", { body: { address: adminIp, minutes: 5 } });
    expect([answer.status, answer.json]).toMatchObject([409, { code: "OWN_ADDRESS" }]);
    expect((await plugin.pass({ ip: adminIp })).stopped).toBeNull();
  });
});

describe("F6: patterns that throw", () => {
  test("let pass what changes nothing, refuse the rest, spare admins, and are told of as critical", async () => {
    const plugin = await started();
    await plugin.call("POST", "/addresses", { body: { kind: "deny", address: "198.51.100.66" }, user: null });
    expect((await plugin.pass({ query: "boom" })).stopped).toBeNull();
    expect((await plugin.pass({ method: "POST", path: "/x", body: "boom" })).stopped?.status).toBe(403);
    expect((await plugin.pass({ method: "POST", path: "/x", body: "boom", user: admin })).stopped).toBeNull();
    expect((await plugin.pass({ ip: "198.51.100.66", query: "boom" })).stopped?.status).toBe(403);
    expect(plugin.activities.filter(({ severity }) => severity === "critical")).toHaveLength(1);
  });

  test("as they are prepared leave those in force that were before", async () => {
    const { makeFakeEngine } = await import("../testing/fake-engine.ts");
    let isBroken = false;
    const plugin = await started(
      {},
      {
        makeEngine: (options: Parameters<typeof makeFakeEngine>[0]) => {
          if (isBroken) throw new Error("no engine");
          return makeFakeEngine(options);
        },
      },
    );
    isBroken = true;
    await plugin.call("PUT", "/config", { body: { paranoiaLevel: 2 } });
    expect((await plugin.pass({ query: "attack" })).stopped?.status).toBe(403);
    expect((await plugin.call("GET", "/config")).json).toMatchObject({
      data: { trouble: { kind: "engine" } },
    });
    isBroken = false;
    await plugin.call("PUT", "/config", { body: { paranoiaLevel: 3 } });
    expect((await plugin.call("GET", "/config")).json).toMatchObject({ data: { trouble: null } });
  });
});
