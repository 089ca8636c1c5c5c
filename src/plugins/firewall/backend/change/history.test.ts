import { describe, expect, test } from "bun:test";
import { adminIp, createSharedSettings, otherAdmin } from "../testing/fake-ctx.ts";
import { createFakeKv, fault } from "../testing/fake-kv.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";
import { createHistory } from "./history.ts";
import { confirmMs } from "./pending.ts";

type Shown = {
  id: number;
  by: string;
  what: string;
  lines: string[];
  reverts: number | null;
  canRevert: boolean;
};
const history = async (plugin: StartedPlugin): Promise<Shown[]> =>
  Object((await plugin.call("GET", "/history")).json).data.changes;
const newest = async (plugin: StartedPlugin): Promise<Shown> => {
  const [first] = await history(plugin);
  if (first === undefined) throw new Error("there is no change");
  return first;
};
const revert = (plugin: StartedPlugin, id: number, more: object = {}) =>
  plugin.call("POST", `/history/${id}/revert`, more);
const config = async (plugin: StartedPlugin) => Object((await plugin.call("GET", "/config")).json).data;
const listed = async (plugin: StartedPlugin, path: string, list: string) =>
  Object((await plugin.call("GET", path)).json).data[list];

/** Each kind of change, with what the history says of it. */
const changes: ["PUT" | "POST", string, object, string][] = [
  ["PUT", "/config", { paranoiaLevel: 2, bansEnabled: true }, "Paranoia level: 1 → 2|Bans: off → on"],
  [
    "POST",
    "/addresses",
    { kind: "deny", address: "198.51.100.0/24", note: "Scanner", expiresAt: "2030-02-01T00:00:00Z" },
    "IP address 198.51.100.0/24: none → deny, Scanner, until 2030-02-01T00:00:00.000Z",
  ],
  ["PUT", "/countries", { mode: "deny", codes: ["FR", "DE"] }, "Countries: all allowed → all except DE, FR"],
  [
    "POST",
    "/rates",
    { title: "Contact", path: "/api/contact", method: "POST", max: 5 },
    'Rate rule "Contact": none → 5 in 60 s of POST /api/contact, for visitor and user by IP address, then block, on',
  ],
  [
    "POST",
    "/exemptions",
    { path: "/api/contact", fields: ["message"], categories: ["scanner"] },
    "Exemption for POST /api/contact: none → message of POST /api/contact, scanner",
  ],
];

describe("the history", () => {
  test("tells who made each change, and what was another before and after; each is reverted with one press", async () => {
    for (const [method, path, body, lines] of changes) {
      const plugin = await startPlugin({ knowsCountries: true });
      const before = JSON.stringify([await config(plugin), await listed(plugin, path, path.slice(1))]);
      expect(await plugin.call(method, path, { body })).toMatchObject({ json: { success: true } });
      const made = await newest(plugin);
      expect(made).toMatchObject({ id: 1, by: "Ada", lines: lines.split("|"), canRevert: true });
      const answer = await revert(plugin, made.id, { user: otherAdmin });
      expect([path, answer.json]).toMatchObject([path, { success: true }]);
      const after = JSON.stringify([await config(plugin), await listed(plugin, path, path.slice(1))]);
      expect(after.replace(/"revision":\d+/, "")).toBe(before.replace(/"revision":\d+/, ""));
      expect(await history(plugin)).toMatchObject([
        { id: 2, by: otherAdmin.name, reverts: 1, canRevert: true },
        { id: 1, reverts: null, canRevert: false },
      ]);
      await plugin.stop();
    }
  });

  test("has a revert too, which brings back what it took away", async () => {
    const plugin = await startPlugin();
    await plugin.call("PUT", "/patterns/2", { body: { isOn: false } });
    await revert(plugin, 1);
    expect((await newest(plugin)).lines).toEqual(["Pattern 2 (unknown): off → on"]);
    await revert(plugin, 2);
    expect((await listed(plugin, "/patterns", "patterns"))[1]).toMatchObject({ id: 2, isOn: false });
  });

  test("refuses to revert what was changed again later, what is gone, and what has no place by now", async () => {
    const plugin = await startPlugin();
    await plugin.call("PUT", "/config", { body: { threshold: 7 } });
    await plugin.call("PUT", "/config", { body: { threshold: 9 } });
    expect(await revert(plugin, 1)).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    expect(await config(plugin)).toMatchObject({ threshold: 9 });
    expect((await history(plugin)).map(({ canRevert }) => canRevert)).toEqual([true, false]);
    expect((await revert(plugin, 99)).status).toBe(404);

    const entry = { kind: "deny", address: "198.51.100.7" };
    await plugin.call("POST", "/addresses", { body: entry });
    await plugin.call("POST", "/addresses/remove", { body: { address: entry.address } });
    const { id } = await newest(plugin);
    await plugin.call("POST", "/addresses", { body: entry });
    expect(await revert(plugin, id)).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    expect(await listed(plugin, "/addresses", "entries")).toHaveLength(1);
  });

  test("reverts as any change is made: what shuts oneself out is refused, what may shut others out is on trial", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    const operator = { user: null };
    await plugin.call("POST", "/addresses", { body: { kind: "deny", address: adminIp }, ...operator });
    await plugin.call("POST", "/addresses/remove", { body: { address: adminIp }, ...operator });
    const own = await newest(plugin);
    expect(await revert(plugin, own.id)).toMatchObject({ status: 409, json: { code: "OWN_ADDRESS" } });

    const other = "198.51.100.0/24";
    await plugin.call("POST", "/addresses", { body: { kind: "deny", address: other }, ...operator });
    await plugin.call("POST", "/addresses/remove", { body: { address: other }, ...operator });
    const removed = await newest(plugin);
    expect(await revert(plugin, removed.id)).toMatchObject({ json: { success: true } });
    expect((await config(plugin)).pending).toMatchObject({ isOwn: true });
    await plugin.advance(confirmMs);
    expect(await listed(plugin, "/addresses", "entries")).toEqual([]);
    expect(await newest(plugin)).toMatchObject({ by: "the firewall", canRevert: true });
  });

  test("lets the operator revert what an admin has on trial, which stays reverted when the trial ends", async () => {
    const plugin = await startPlugin();
    const operator = { user: null };
    await plugin.call("POST", "/on", operator);
    await plugin.call("PUT", "/patterns/2", { body: { isOn: false }, ...operator });
    await plugin.call("POST", "/addresses", {
      body: { kind: "deny", address: "0.0.0.0/1" },
      user: otherAdmin,
    });
    await plugin.call("PUT", "/patterns/2", { body: { isOn: true }, user: otherAdmin });
    for (const change of (await history(plugin)).slice(0, 2)) {
      expect(change.canRevert).toBe(true);
      expect(await revert(plugin, change.id, operator)).toMatchObject({ json: { success: true } });
    }
    const state = async () => [
      await listed(plugin, "/addresses", "entries"),
      (await listed(plugin, "/patterns", "patterns"))[1].isOn,
    ];
    expect(await state()).toEqual([[], false]);
    await plugin.advance(2 * confirmMs);
    expect(await state()).toEqual([[], false]);
  });

  test("ends a trial when the last of what is on trial is reverted", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    for (const address of ["198.51.100.1", "198.51.100.2"])
      await plugin.call("POST", "/addresses", { body: { kind: "deny", address } });
    const [second, first] = await history(plugin);
    expect(await revert(plugin, second?.id ?? 0)).toMatchObject({ json: { success: true } });
    expect((await config(plugin)).pending).toMatchObject({ isOwn: true });
    expect(await revert(plugin, first?.id ?? 0)).toMatchObject({ json: { message: "Saved." } });
    expect((await config(plugin)).pending).toBeNull();
  });

  test("names an API token without an owner, whose changes are on trial and must not shut it out", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    const token = { user: null, token: { id: "t-1", name: "CI" }, ip: adminIp };
    const deny = (address: string) => ({ body: { kind: "deny", address }, ...token });
    expect(await plugin.call("POST", "/addresses", deny(adminIp))).toMatchObject({
      json: { code: "OWN_ADDRESS" },
    });
    await plugin.call("POST", "/addresses", deny("198.51.100.0/24"));
    expect(await newest(plugin)).toMatchObject({ by: "API token CI" });
    expect((await config(plugin)).pending).toMatchObject({ by: "API token CI", isOwn: false });
    await plugin.advance(confirmMs);
    expect(await listed(plugin, "/addresses", "entries")).toEqual([]);
  });

  test("names a plugin that changes something, which is on trial as well, and which no plugin can confirm", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    const watchdog = { user: null, plugin: "watchdog" };
    const deny = { body: { kind: "deny", address: "198.51.100.0/24" }, ...watchdog };
    expect(await plugin.call("POST", "/addresses", deny)).toMatchObject({
      json: { message: expect.stringContaining("Confirm it within 90 seconds") },
    });
    expect(await newest(plugin)).toMatchObject({ by: "plugin watchdog" });
    const { pending } = await config(plugin);
    expect(pending).toMatchObject({ by: "plugin watchdog", isOwn: false });
    const body = { revision: pending?.revision };
    expect(await plugin.call("POST", "/confirm", { body, ...watchdog })).toMatchObject({ status: 403 });
    await plugin.advance(confirmMs);
    expect(await listed(plugin, "/addresses", "entries")).toEqual([]);
  });

  test("has what was switched off, saved in the settings form, and reverted while it was on trial", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    await plugin.call("POST", "/rates", { body: { path: "/api/*", max: 5 } });
    const { pending } = await config(plugin);
    await plugin.call("POST", "/revert", { body: { revision: pending.revision } });
    await plugin.call("POST", "/off");
    await plugin.ctx.settings.set({ threshold: 8, revision: 1_000 });
    await plugin.advance(1);
    expect((await history(plugin)).map(({ by, lines }) => `${by}: ${lines}`)).toEqual([
      "an admin: Threshold: 5 → 8",
      "Ada: Master switch: on → off",
      expect.stringMatching(/^Ada: Rate rule .* → none$/),
      expect.stringMatching(/^Ada: Rate rule .*: none → /),
      "Ada: Master switch: off → on",
    ]);
  });

  test("is one on several servers, keeps the last 100 changes, and shows of a large one its beginning", async () => {
    const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
    const common = { clock, kv: createFakeKv(() => clock.nowMs), shared: createSharedSettings() };
    const one = await startPlugin(common);
    const other = await startPlugin({ ...common, replica: "replica-2" });
    const text = Array.from({ length: 30 }, (_, index) => `deny,198.51.100.${index}`).join("\n");
    await one.call("POST", "/addresses/import", { body: { format: "csv", text: `kind,address\n${text}` } });
    expect((await newest(other)).lines.slice(19)).toEqual([
      "IP address 198.51.100.19: none → deny, permanently",
      "and 10 more",
    ]);
    await Promise.all([
      one.call("PUT", "/config", { body: { threshold: 50 } }),
      other.call("PUT", "/config", { body: { paranoiaLevel: 2 } }),
    ]);
    expect((await history(one)).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect((await revert(other, 1)).status).toBe(200);
    expect(await listed(one, "/addresses", "entries")).toEqual([]);
    for (let turn = 1; turn <= 100; turn += 1)
      await one.call("PUT", "/config", { body: { threshold: 50 + (turn % 2) } });
    const kept = await history(one);
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([100, 104, 5]);
    const limited = await one.call("GET", "/history", { query: { limit: "2" } });
    expect(Object(limited.json).data.changes.map(({ id }: Shown) => id)).toEqual([104, 103]);
  });

  test("loses no change where two servers write at the same time", async () => {
    const kv = createFakeKv();
    const change = { at: "2030-01-01T00:00:00Z", by: "Ada", reverts: null, parts: [] };
    await Promise.all(["one", "other"].map((what) => createHistory(kv).add({ ...change, what })));
    const changes = await createHistory(kv).list();
    expect(changes.map(({ id, what }) => [id, what]).sort()).toEqual([
      [1, "one"],
      [2, "other"],
    ]);
  });

  test("writes no more than a change is large, and keeps small changes where two large ones have no place", async () => {
    const kv = createFakeKv();
    const history = createHistory(kv);
    const change = { at: "2030-01-01T00:00:00Z", by: "Ada", what: "Changed", reverts: null };
    const entry = { ...change, note: "x".repeat(420) };
    const list = (name: string, to: "before" | "after") =>
      Array.from({ length: 5_000 }, (_, index) => ({
        ...{ name: `address ${name}-${index}`, before: null, after: null },
        [to]: entry,
      }));
    const small = [{ name: "switch threshold", before: 5, after: 7 }];
    const writes: string[] = [];
    const set = kv.set.bind(kv);
    kv.set = (key, value, options) => {
      writes.push(key);
      return set(key, value, options);
    };
    for (let turn = 0; turn < 90; turn += 1) await history.add({ ...change, parts: small });
    await history.add({ ...change, parts: list("a", "after") });
    await history.add({ ...change, parts: list("a", "before") });
    writes.length = 0;
    await history.add({ ...change, parts: small });
    expect(writes).toEqual(["history-last", "history:0000000093"]);
    const listed = await history.list();
    expect(listed.map(({ id }) => id)).toEqual(Array.from({ length: 93 }, (_, index) => 93 - index));
    expect(listed.filter(({ isWhole }) => !isWhole).map(({ id }) => id)).toEqual([91]);
    const piecesOf = async (id: string) => {
      const found = await history.find(id);
      return found === null ? [] : await Array.fromAsync(history.pieces(found));
    };
    expect((await piecesOf("92")).flat()).toEqual(list("a", "before"));
    expect(await piecesOf("91")).toContain(null);
    expect(await piecesOf("1")).toEqual([small]);
  });

  test("says of a change that is not whole that it can't be reverted", async () => {
    const plugin = await startPlugin();
    const text = Array.from({ length: 200 }, (_, index) => `deny,198.51.100.${index}`).join("\n");
    await plugin.call("POST", "/addresses/import", {
      body: { format: "csv", text: `kind,address\n${text}` },
    });
    expect(await newest(plugin)).toMatchObject({ canRevert: true, isWhole: true });
    const [piece = ""] = (await plugin.kv.list("history-part:")).keys;
    await plugin.kv.delete(piece);
    const { lines, ...rest } = await newest(plugin);
    expect(rest).toMatchObject({ canRevert: false, isWhole: false });
    expect(lines.at(-1)).toMatch(/no longer kept, so it can't be reverted/);
    expect(await revert(plugin, 1)).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
  });

  test("that cannot be written keeps no change from being made", async () => {
    const plugin = await startPlugin();
    plugin.kv.fails = (key) => (String(key).startsWith("history") ? fault("UNAVAILABLE") : null);
    expect(await plugin.call("PUT", "/config", { body: { threshold: 7 } })).toMatchObject({
      json: { success: true },
    });
    plugin.kv.fails = () => null;
    expect([(await config(plugin)).threshold, await history(plugin)]).toEqual([7, []]);
  });
});
