import { describe, expect, test } from "bun:test";
import { admin, createSharedSettings, member } from "../testing/fake-ctx.ts";
import { createFakeKv } from "../testing/fake-kv.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";
import { createFacts, type Fact, factsAnHour } from "./facts.ts";

const watched = async (options: Parameters<typeof startPlugin>[0] = {}) => {
  const plugin = await startPlugin(options);
  await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true, patternsEnabled: false } });
  return plugin;
};
const replay = async (plugin: StartedPlugin, body: object) => {
  const begun = Object((await plugin.call("POST", "/replay", { body })).json).data;
  await Bun.sleep(0);
  return Object((await plugin.call("GET", `/replay/${begun.id}`)).json).data;
};

describe("a replay", () => {
  test("tells which requests a draft would stop that pass now, those of admins first, and changes nothing", async () => {
    const plugin = await watched();
    await plugin.pass({ ip: "198.51.100.1", path: "/one" });
    await plugin.pass({ ip: "198.51.100.2", path: "/two" });
    await plugin.pass({ ip: "198.51.100.3", path: "/three", user: admin, headers: { cookie: "sid=x" } });
    const found = await replay(plugin, { addAddresses: [{ kind: "deny", address: "198.51.100.0/24" }] });
    expect(found).toMatchObject({
      ...{ state: "done", looked: 3, kept: 3, seen: 3, blockedNow: 0, newlyBlocked: 3, byAdmins: 1 },
      rows: [{ path: "/three", role: "admin", isOwn: true }, { path: "/one" }, { path: "/two" }],
    });
    expect((await plugin.pass({ ip: "198.51.100.1" })).stopped).toBeNull();
    expect((await plugin.call("GET", "/addresses")).json).toMatchObject({ data: { entries: [] } });
  });

  test("finds attacks in what is kept, and spares admins as the firewall does", async () => {
    const plugin = await watched();
    await plugin.pass({ query: "q=attack" });
    await plugin.pass({ query: "q=attack", user: admin, headers: { cookie: "sid=x" } });
    await plugin.pass({ query: "q=odd", headers: { "user-agent": "odd" } });
    const found = await replay(plugin, { switches: { patternsEnabled: true } });
    expect(found).toMatchObject({ newlyBlocked: 1, byAdmins: 0, rows: [{ query: "q=attack" }] });
    const strict = await replay(plugin, { switches: { patternsEnabled: true, threshold: 2 } });
    expect(strict.newlyBlocked).toBe(2);
  });

  test("counts rates as they would have been counted, for whom they are", async () => {
    const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
    const plugin = await watched({ clock });
    for (let count = 0; count < 6; count += 1) {
      await plugin.pass({ path: "/x" });
      await plugin.pass({ path: "/x", user: member, headers: { cookie: "sid=x" } });
      clock.nowMs += 20_000;
    }
    const found = await replay(plugin, {
      addRates: [{ path: "/x", roles: ["visitor"], max: 2, windowMs: 60_000 }],
    });
    expect(found).toMatchObject({ newlyBlocked: 2, rows: [{ role: "visitor" }, { role: "visitor" }] });
  });

  test("tells what would pass again", async () => {
    const plugin = await watched();
    await plugin.call("PUT", "/config", { body: { patternsEnabled: true } });
    await plugin.pass({ query: "q=attack" });
    expect(await replay(plugin, { switchedOff: [1] })).toMatchObject({
      blockedNow: 1,
      newlyPassed: 1,
      newlyBlocked: 0,
    });
  });

  test("proposes no exemption that was added meanwhile", async () => {
    const plugin = await watched();
    await plugin.pass({
      path: "/search",
      query: "q=attack",
      user: member,
      ip: "198.51.100.1",
      headers: { cookie: "sid=x", "sec-fetch-site": "same-origin" },
    });
    const { id } = await replay(plugin, { switches: { patternsEnabled: true } });
    const proposals = async () => Object((await plugin.call("GET", `/replay/${id}`)).json).data.proposals;
    const [proposal] = await proposals();
    expect(proposal).toMatchObject({ path: "/search", fields: ["q"] });
    const { method, path, fields, categories } = proposal;
    await plugin.call("POST", "/exemptions", { body: { method, path, fields, categories } });
    expect(await proposals()).toEqual([]);
  });

  test("can be watched and canceled, and one runs at a time", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = {
      inspect: () => {
        const until = performance.now() + 6;
        while (performance.now() < until);
        return { score: 0, isAttack: false, hits: [], obstacle: null };
      },
    };
    const plugin = await watched({ makeEngine: () => slow, pause: () => promise });
    for (let count = 0; count < 5; count += 1) await plugin.pass();
    const body = { switches: { patternsEnabled: true } };
    const begun = await plugin.call("POST", "/replay", { body });
    const { id, state, looked } = Object(begun.json).data;
    expect([begun.status, state, looked]).toEqual([202, "running", 1]);
    expect((await plugin.call("POST", "/replay", { body })).status).toBe(409);
    expect((await plugin.call("DELETE", `/replay/${id}`)).json).toMatchObject({
      data: { state: "cancelled" },
    });
    resolve();
    await Bun.sleep(0);
    expect((await plugin.call("GET", `/replay/${id}`)).json).toMatchObject({ data: { looked: 1 } });
    expect((await plugin.call("GET", "/replay/none")).status).toBe(404);
  });

  test("of a draft that could not be saved is refused", async () => {
    const plugin = await watched();
    for (const body of [
      { addAddresses: [{ kind: "deny", address: "x" }] },
      { addRates: [{ path: "x" }] },
      { countries: { mode: "deny", codes: ["Germany"] } },
    ])
      expect((await plugin.call("POST", "/replay", { body })).status).toBe(422);
  });
});

describe("what is kept of requests", () => {
  const fact = (index: number, at: number): Fact => ({
    ...{ id: String(index), at, method: "GET", path: "/", query: "", userAgent: "", referer: "" },
    ...{ address: "198.51.100.1", country: null, route: null, isCall: false, role: "visitor" },
    ...{ userId: null, user: null },
  });

  test("is bounded: of too many each has the same chance, and it is told how many there were", () => {
    const now = 1_000 * 3_600_000;
    const facts = createFacts(() => now);
    for (let index = 0; index < 50_000; index += 1) facts.add(() => fact(index, now));
    const { facts: kept, seen } = facts.all();
    expect([kept.length, seen]).toEqual([factsAnHour, 50_000]);
    const late = kept.filter(({ id }) => Number(id) >= 25_000).length;
    expect(late).toBeGreaterThan(factsAnHour * 0.4);
    expect(late).toBeLessThan(factsAnHour * 0.6);
  });

  test("is forgotten after 24 hours", () => {
    let now = 1_000 * 3_600_000;
    const facts = createFacts(() => now);
    facts.add(() => fact(1, now));
    now += 24 * 3_600_000;
    expect(facts.all()).toEqual({ facts: [], seen: 0 });
  });

  test("is there after a restart, and other replicas' too", async () => {
    const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const one = await watched({ clock, kv, shared });
    await one.pass({ path: "/one", ip: "198.51.100.1" });
    await one.stop();
    const other = await startPlugin({ clock, kv, shared, replica: "replica-2" });
    await other.pass({ path: "/two", ip: "198.51.100.1" });
    const found = await replay(other, { addAddresses: [{ kind: "deny", address: "198.51.100.1" }] });
    expect(found).toMatchObject({ kept: 2, seen: 2, newlyBlocked: 2 });
  });
});
