import { afterEach, describe, expect, test } from "bun:test";
import type { Json } from "#plugins/sdk/types.ts";
import { type RunningPerformance, startPerformance } from "./start-performance.ts";
import { arriving } from "./testing/arriving.ts";
import { createFakeHost } from "./testing/fake-ctx.ts";

const started: RunningPerformance[] = [];
afterEach(async () => {
  for (const running of started.splice(0)) await running.stop();
});

const start = (initial: Record<string, Json> = {}) => {
  const now = () => Date.parse("2026-11-21T12:30:00Z");
  const host = createFakeHost(now, { sharedCalls: ["/api/plugins"], ...initial });
  // Timers never fire in a test.
  const never = 2_000_000_000;
  const running = startPerformance(host.ctx, {
    now,
    fetch: () => Promise.reject(new Error("offline")),
    ...{ flushMs: never, learnMs: never },
  });
  started.push(running);
  return { ...host, running, shaper: host.shaper };
};

const beacon = (page = "/", more: Json[] = []): Json => ({
  values: [{ page, metric: "LCP", value: 1_000 }, ...more],
  steps: [],
});
const visits = async ({ call }: ReturnType<typeof start>): Promise<unknown> =>
  Reflect.get(Object((await call("GET /summary", { query: { days: "1" } })).json), "visits");

describe("a measurement from a visitor's browser", () => {
  test("is counted under known pages, and visible to an admin immediately", async () => {
    const host = start();
    for (const page of ["/", "/about", "/admin/plugins/notes", "/made-up-1", "/made-up-2"])
      expect((await host.call("POST /vitals", { body: beacon(page) })).status).toBe(204);
    const { json } = await host.call("GET /summary", { query: { days: "1", admin: "true" } });
    expect(json).toMatchObject({
      visits: 5,
      pages: [{ page: "*", visits: 2 }, { page: "/" }, { page: "/about" }, { page: "/admin/plugins/*" }],
    });
    expect(await visits(host)).toBe(4);
    const listed = await host.call("GET /figures", { query: { days: "1" } });
    expect(listed.json).toMatchObject({ rows: [{ metric: "LCP", count: 4, rating: "too-few" }] });
  });

  test.each([[{ dnt: "1" }], [{ "sec-gpc": "1" }]])("is ignored with %p", async (headers) => {
    const host = start();
    expect((await host.call("POST /vitals", { body: beacon(), headers })).status).toBe(204);
    expect(await visits(host)).toBe(0);
  });

  test("is ignored while measuring is off", async () => {
    const host = start({ vitals: false });
    await host.call("POST /vitals", { body: beacon() });
    expect(await visits(host)).toBe(0);
    expect((await host.call("GET /site")).json).toEqual({ sample: 0, next: {} });
  });

  test("is refused beyond 4 KB, and 30 times a minute from one IP address", async () => {
    const host = start();
    const large = beacon(
      "/",
      Array.from({ length: 15 }, () => ({ page: "/".repeat(290), metric: "LCP", value: 1 })),
    );
    expect((await host.call("POST /vitals", { body: large })).status).toBe(413);
    const statuses: number[] = [];
    for (let made = 0; made < 40; made += 1)
      statuses.push((await host.call("POST /vitals", { body: beacon() })).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await host.call("POST /vitals", { body: beacon(), ip: "192.0.2.2" })).status).toBe(204);
    expect(await visits(host)).toBe(31);
  });

  test("is stored when the plugin stops", async () => {
    const host = start();
    await host.call("POST /vitals", { body: beacon() });
    expect((await host.kv.list("h/")).keys).toEqual([]);
    await host.running.stop();
    expect((await host.kv.list("h/")).keys).toEqual(["h/2026-11-21T12"]);
  });
});

test("only two routes are public, and neither returns figures", () => {
  const open = [...start().routes].filter(([, { access }]) => access === "public").map(([route]) => route);
  expect(open.sort()).toEqual(["GET /site", "POST /vitals"]);
});

describe("a switch", () => {
  test("applies from its response on, is recorded once, and leaves an activity", async () => {
    const host = start();
    expect(host.shaper.isIdle).toBe(true);
    for (const isOn of [true, true])
      await host.call("PUT /switches/:name", { params: { name: "compression" }, body: { isOn } });
    expect(host.shaper.isIdle).toBe(false);
    await host.deliver();
    const { json } = await host.call("GET /switches");
    expect(json).toMatchObject({ switchings: [{ switch: "compression", isOn: true }] });
    expect(host.activities.map(({ action, description }) => [action, description])).toEqual([
      ["Compression of dynamic responses: turned on", "By Ada"],
    ]);
  });

  test("that does not exist is refused", async () => {
    const host = start();
    for (const name of ["vitals", "lastPurge", "__proto__"])
      expect(
        (await host.call("PUT /switches/:name", { params: { name }, body: { isOn: true } })).status,
      ).toBe(404);
    expect(host.activities).toEqual([]);
  });

  test("two of them in a row are both on", async () => {
    const host = start();
    for (const name of ["compression", "responseCache"])
      await host.call("PUT /switches/:name", { params: { name }, body: { isOn: true } });
    expect((await host.call("GET /switches")).json).toMatchObject({
      switches: [
        { name: "compression", isOn: true },
        ...[{ isOn: false }, { isOn: false }, { isOn: false }],
        { name: "responseCache", isOn: true },
      ],
    });
  });
});

describe("the cache is cleared", () => {
  const headers = { "content-type": "text/html", "cache-control": "no-cache" };
  const filled = async () => {
    const host = start({ responseCache: true });
    for (const path of ["/", "/about"]) {
      const request = arriving(path);
      host.shaper.reuse?.(request);
      await host.shaper.shape?.(request, new Response("page", { headers }), { isAnonymous: true });
    }
    const entries = async () => Reflect.get(Object((await host.call("GET /cache")).json), "entries");
    expect(await entries()).toBe(2);
    return { ...host, entries };
  };

  test("when plugins change, when settings of the application do, and when the plugin's own do", async () => {
    for (const event of ["plugin.state", "settings.changed"] as const) {
      const { emit, entries } = await filled();
      emit(event);
      expect(await entries()).toBe(0);
    }
    const { tellSettings, entries } = await filled();
    await tellSettings({ cacheSeconds: 30 });
    expect(await entries()).toBe(0);
  });

  test("when another server tells of a purge", async () => {
    const { tellSettings, entries } = await filled();
    await tellSettings({ lastPurge: "1 there *" });
    expect(await entries()).toBe(0);
  });

  test("completely when another server announces a purge of one path: there may have been an earlier one", async () => {
    const { tellSettings, entries } = await filled();
    await tellSettings({ lastPurge: "1 there /about" });
    expect(await entries()).toBe(0);
  });

  test("by an admin's purge, of one path or everything, which leaves an activity", async () => {
    const { call, deliver, entries, activities } = await filled();
    expect((await call("POST /cache/purge", { body: { path: "/about" } })).json).toEqual({
      message: "1 cached response purged on this server; other servers clear their whole cache.",
      purged: 1,
    });
    expect(await entries()).toBe(1);
    await deliver();
    expect(await entries()).toBe(1);
    expect((await call("POST /cache/purge", { body: {} })).json).toEqual({
      message: "1 cached response purged on this server; other servers clear theirs.",
      purged: 1,
    });
    expect(await entries()).toBe(0);
    expect(activities.map(({ action }) => action)).toEqual([
      "Purged a path from the response cache",
      "Purged the response cache",
    ]);
  });
});

test("a running measurement stops with the plugin", async () => {
  const host = start();
  expect((await host.call("POST /report")).status).toBe(200);
  expect((await host.call("POST /report")).status).toBe(409);
  await host.running.stop();
  expect((await host.call("GET /report")).json).toMatchObject({ isRunning: false, report: null });
  expect((await host.call("DELETE /report")).status).toBe(409);
});
