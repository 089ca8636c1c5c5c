import { describe, expect, test } from "bun:test";
import { admin, member } from "../testing/fake-ctx.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";

const route = (
  method: string,
  path: string,
  access: "public" | "user" | "admin",
  plugin: string | null = null,
) => ({
  ...{ method, path, access, plugin },
});
const routes = [
  route("POST", "/api/auth/login", "public"),
  route("POST", "/api/contact", "public"),
  route("GET", "/api/admin/users", "admin"),
  route("POST", "/api/admin/users", "admin"),
  route("GET", "/api/plugins", "public"),
  route("GET", "/api/notes/list", "public", "notes"),
  route("GET", "/api/notes/secret", "admin", "notes"),
  route("GET", "/api/firewall/config", "admin", "firewall"),
];
const cookie = { cookie: "sid=whatever" };
const own = { origin: "http://localhost:3000" };

const started = async (config: Record<string, boolean | number> = {}) => {
  const plugin = await startPlugin({ routes });
  await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true, ...config } });
  return plugin;
};
type Request = NonNullable<Parameters<StartedPlugin["pass"]>[0]>;
/** How many of ten requests pass. */
const passing = async (plugin: StartedPlugin, request: Request): Promise<number> => {
  let passed = 0;
  for (let count = 0; count < 10; count += 1) if ((await plugin.pass(request)).stopped === null) passed += 1;
  return passed;
};
const at = (method: string, path: string): Request => ({ method, path, route: path, isCall: true });

describe("the core's limit, counted here", () => {
  test("lets exactly as many calls pass as the core would, and says so with the time to wait", async () => {
    const plugin = await started({ rateLimitingEnabled: true });
    const first = await plugin.pass(at("GET", "/api/plugins"));
    expect(first.headers).toEqual({});
    const call = at("POST", "/api/contact");
    expect((await plugin.pass(call)).headers).toEqual({
      "RateLimit-Policy": '"core";q=3;w=60',
      RateLimit: '"core";r=2;t=60',
    });
    expect(await passing(plugin, call)).toBe(2);
    const { stopped } = await plugin.pass(call);
    expect([stopped?.status, stopped?.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(Object(await stopped?.json())).toMatchObject({ code: "RATE_LIMITED", message: "Slow down" });
  });

  test("R2: counts an IPv6 site of 48 bits too, with ten times as much, and tells of it when that is used up", async () => {
    const plugin = await started({ rateLimitingEnabled: true });
    const from = (network: number) =>
      plugin.pass({ ...at("POST", "/api/contact"), ip: `2001:db8:9:${network.toString(16)}::1` });
    expect((await from(0)).headers).toMatchObject({ "RateLimit-Policy": '"core";q=3;w=60' });
    for (let network = 1; network < 30; network += 1) expect((await from(network)).stopped).toBeNull();
    const { stopped } = await from(30);
    expect([stopped?.status, stopped?.headers.get("ratelimit-policy")]).toEqual([429, '"core";q=30;w=60']);
    expect((await plugin.pass({ ...at("POST", "/api/contact"), ip: "2001:db8:a::1" })).stopped).toBeNull();
  });

  test("counts nothing while the switch is off, and pages never", async () => {
    const plugin = await started();
    expect(await passing(plugin, at("POST", "/api/contact"))).toBe(10);
    await plugin.call("PUT", "/config", { body: { rateLimitingEnabled: true } });
    expect(await passing(plugin, { path: "/login" })).toBe(10);
  });

  test.each([
    ["sign-in", at("POST", "/api/auth/login")],
    [
      "sign-in by an admin",
      { ...at("POST", "/api/auth/login"), user: admin, headers: { ...cookie, ...own } },
    ],
    ["contact messages", at("POST", "/api/contact")],
    ["unknown paths", { ...at("GET", "/api/admin/nothing"), route: null }],
    ["admins' paths for visitors", at("GET", "/api/admin/users")],
    ["admins' paths for users", { ...at("GET", "/api/admin/users"), user: member, headers: cookie }],
    ["admins' paths with a cookie of nobody", { ...at("GET", "/api/admin/users"), headers: cookie }],
    ["admins' paths of plugins for visitors", at("GET", "/api/notes/secret")],
    [
      "what another site sends in an admin's name",
      {
        ...at("POST", "/api/admin/users"),
        user: admin,
        headers: { ...cookie, origin: "https://evil.example" },
      },
    ],
  ])("R5: never leaves out %s", async (_what, request) => {
    const plugin = await started({ rateLimitingEnabled: true });
    expect(await passing(plugin, request)).toBe(3);
  });

  test.each([
    ["admins where only admins may call", { ...at("GET", "/api/admin/users"), user: admin, headers: cookie }],
    ["calls of plugins", at("GET", "/api/notes/list")],
  ])("R5: leaves out %s", async (_what, request) => {
    const plugin = await started({ rateLimitingEnabled: true });
    expect(await passing(plugin, request)).toBe(10);
  });
});

describe("a rate rule", () => {
  const rule = async (plugin: StartedPlugin, body: Record<string, string | number | string[] | boolean>) => {
    const answer = await plugin.call("POST", "/rates", { body: { max: 2, ...body }, user: null });
    expect([answer.status, answer.json]).toMatchObject([200, { success: true }]);
  };

  test("counts by method, path and network, and everybody apart", async () => {
    const plugin = await started();
    await rule(plugin, { method: "POST", path: "/api/contact" });
    expect(await passing(plugin, at("GET", "/api/contact"))).toBe(10);
    expect(await passing(plugin, { ...at("POST", "/api/contact"), ip: "2001:db8::1" })).toBe(2);
    expect(await passing(plugin, { ...at("POST", "/api/contact"), ip: "2001:db8::2" })).toBe(0);
    expect(await passing(plugin, { ...at("POST", "/api/contact"), ip: "2001:db8:0:1::1" })).toBe(2);
  });

  test("for users counts users wherever they are, and visitors not", async () => {
    const plugin = await started();
    await rule(plugin, { path: "/*", roles: ["user"], key: "user" });
    expect(await passing(plugin, { path: "/x" })).toBe(10);
    expect(await passing(plugin, { path: "/x", user: member, headers: cookie, ip: "192.0.2.1" })).toBe(2);
    expect(await passing(plugin, { path: "/x", user: member, headers: cookie, ip: "192.0.2.2" })).toBe(0);
    expect(await passing(plugin, { path: "/x", user: admin, headers: cookie })).toBe(10);
  });

  test("for everybody never counts what admins ask of the firewall itself", async () => {
    const plugin = await started();
    await rule(plugin, { path: "/*", roles: ["visitor", "user", "admin"] });
    const call = { ...at("GET", "/api/firewall/config"), headers: cookie };
    expect(await passing(plugin, { ...call, user: admin })).toBe(10);
    expect(await passing(plugin, call)).toBe(2);
  });

  test("that only writes down lets pass, and is found in the journal", async () => {
    const plugin = await started();
    await rule(plugin, { path: "/x", action: "log" });
    expect(await passing(plugin, { path: "/x" })).toBe(10);
    const { data } = Object((await plugin.call("GET", "/journal", { query: { verdict: "noticed" } })).json);
    expect(data.entries).toHaveLength(8);
  });

  test("that bans keeps the address out of everything else, too", async () => {
    const plugin = await started();
    await rule(plugin, { path: "/api/auth/login", action: "ban" });
    await passing(plugin, at("POST", "/api/auth/login"));
    expect((await plugin.pass({ path: "/" })).stopped?.status).toBe(403);
    expect((await plugin.pass({ path: "/", user: admin })).stopped).toBeNull();
  });

  test("for each path counts requests to no route as one, and pages apart", async () => {
    const plugin = await started();
    await rule(plugin, { path: "/*", key: "ip+path" });
    const call = (path: string) => plugin.pass({ method: "GET", path, route: null, isCall: true });
    expect((await call("/api/a")).stopped).toBeNull();
    expect((await call("/api/b")).stopped).toBeNull();
    expect((await call("/api/c")).stopped?.status).toBe(429);
    for (const path of ["/a", "/b", "/c"]) expect((await plugin.pass({ path })).stopped).toBeNull();
    expect(await passing(plugin, at("GET", "/api/plugins"))).toBe(2);
  });

  test("that is switched off counts nothing", async () => {
    const plugin = await started();
    await rule(plugin, { path: "/x", isOn: false });
    expect(await passing(plugin, { path: "/x" })).toBe(10);
  });

  test("about sign-in has a window of an hour at most", async () => {
    const plugin = await started();
    const body = { path: "/api/auth/*", max: 1, windowMs: 86_400_000 };
    const answer = await plugin.call("POST", "/rates", { body });
    expect([answer.status, answer.json]).toMatchObject([422, { errors: [{ path: "windowMs" }] }]);
  });
});

test("a counter that fails lets the request go on", async () => {
  const plugin = await startPlugin({ routes });
  Object.assign(plugin.ctx.host, { takeRate: () => Promise.reject(new Error("Redis is away")) });
  await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true, rateLimitingEnabled: true } });
  expect(await passing(plugin, at("POST", "/api/contact"))).toBe(10);
  expect(plugin.logs.some((line) => line.includes("Redis is away"))).toBe(true);
});
