import { describe, expect, test } from "bun:test";
import { createSharedSettings } from "./backend/testing/fake-ctx.ts";
import { createFakeKv } from "./backend/testing/fake-kv.ts";
import { startPlugin } from "./backend/testing/started-plugin.ts";

/** Two servers of one installation, with the firewall on. */
const startTwo = async (options: Parameters<typeof startPlugin>[0] = {}) => {
  const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
  const common = { ...options, clock, kv: createFakeKv(() => clock.nowMs), shared: createSharedSettings() };
  const one = await startPlugin(common);
  const other = await startPlugin({ ...common, replica: "replica-2" });
  await one.call("POST", "/on");
  return { one, other, clock };
};
/** Each inspection takes longer than a replay works without a pause. */
const slowEngine = () => ({
  inspect: () => {
    const until = performance.now() + 6;
    while (performance.now() < until);
    return { score: 0, isAttack: false, hits: [], obstacle: null };
  },
});
const dataOf = ({ json }: { json: unknown }) => Object(json).data;
type Server = Awaited<ReturnType<typeof startPlugin>>;

const attacker = "198.51.100.66";
const attack = async (server: Server) => (await server.pass({ ip: attacker, query: "attack" })).stopped;
/** Signals and what follows from them take no time of the clock. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const bansAt = async (server: Server): Promise<string[]> =>
  Object(Object((await server.call("GET", "/bans")).json).data).bans.map(
    ({ address }: { address: string }) => address,
  );

describe("two servers", () => {
  test("count blocked requests together, and a ban by one holds at the other without waiting for the next beat", async () => {
    const { one, other } = await startTwo();
    await one.call("PUT", "/config", { body: { bansEnabled: true, banAfterBlocks: 4 }, user: null });
    for (const server of [one, other, one]) await attack(server);
    expect(await bansAt(one)).toEqual([]);
    await attack(other);
    await settled();
    expect([await bansAt(one), await bansAt(other)]).toEqual([[attacker], [attacker]]);
    expect((await one.pass({ ip: attacker })).stopped?.status).toBe(403);
  });

  test("forget the blocks that led to a ban once an admin lifts it at either", async () => {
    const { one, other, clock } = await startTwo();
    await one.call("PUT", "/config", { body: { bansEnabled: true, banAfterBlocks: 2 }, user: null });
    for (const server of [one, other]) await attack(server);
    await settled();
    clock.nowMs += 1_000;
    expect((await other.call("POST", "/bans/lift", { body: { address: attacker } })).status).toBe(200);
    await settled();
    await attack(one);
    await settled();
    expect(await bansAt(one)).toEqual([]);
  });

  test("answer for a replay that runs at the other, and cancel it there", async () => {
    const { promise: paused, resolve: proceed } = Promise.withResolvers<void>();
    const { one, other } = await startTwo({ pause: () => paused, makeEngine: slowEngine });
    for (const path of ["/a", "/b"]) await one.pass({ path });
    const { id } = dataOf(await one.call("POST", "/replay", { body: { switches: { threshold: 1 } } }));
    await settled();
    expect(dataOf(await other.call("GET", `/replay/${id}`))).toMatchObject({ id, state: "running", kept: 2 });
    expect(dataOf(await other.call("DELETE", `/replay/${id}`))).toMatchObject({ state: "cancelled" });
    proceed();
    await settled();
    for (const server of [one, other])
      expect(dataOf(await server.call("GET", `/replay/${id}`))).toMatchObject({
        state: "cancelled",
        looked: 1,
      });
    expect((await other.call("GET", `/replay/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await other.call("DELETE", "/replay/none")).status).toBe(404);
  });

  test("show each other's requests while an admin looks, and answer for all of them", async () => {
    const { one, other } = await startTwo();
    await other.pass({ path: "/at-the-other" });
    const traffic = async (server: Server, after = "") =>
      Object(Object((await server.call("GET", "/traffic", { query: { after } })).json).data);
    await traffic(one);
    await other.advance(1);
    await one.pass({ path: "/at-the-one" });
    const { rows, cursor } = await traffic(one);
    expect(rows.map(({ path }: { path: string }) => path)).toEqual(["/at-the-other", "/at-the-one"]);
    expect((await traffic(other, cursor)).rows).toEqual([]);
    await one.advance(60_000);
    await other.advance(60_000);
    expect((await one.call("GET", "/status")).json).toMatchObject({ data: { lastHour: { passed: 2 } } });
    expect((await other.call("GET", "/status")).json).toMatchObject({ data: { lastHour: { passed: 2 } } });
  });
});
