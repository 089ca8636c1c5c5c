import { describe, expect, test } from "bun:test";
import { noRules, type Rules } from "../rules/rules.ts";
import { defaultSwitches } from "../switches.ts";
import { createFakeKv } from "../testing/fake-kv.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";
import { type Change, confirmMs, createPendingStore, keepWayBack } from "./pending.ts";

const pending = {
  ...{ revision: 3, deadline: 1_000, since: 500, by: "Ada", byId: "a-1" },
  ...{ whats: ["Denied 198.51.100.1"], more: 0 },
  switches: defaultSwitches,
};

test("of many that take a change back at once exactly one does, and others may after ten seconds", async () => {
  let now = 5_000_000;
  const kv = createFakeKv(() => now);
  const stores = Array.from({ length: 8 }, () => createPendingStore(kv, () => now));
  await stores[0]?.keep(pending, noRules);
  const take = async () => {
    const taken = await Promise.all(stores.map((store) => store.take(3, true)));
    return taken.filter(Boolean).length;
  };
  expect([await take(), await take()]).toEqual([1, 0]);
  expect(await stores[1]?.load()).toBeNull();
  now += 10_000;
  expect(await stores[1]?.load()).toMatchObject(pending);
  expect(await take()).toBe(1);
});

test("a change that was confirmed cannot be taken back, and another revision not at all", async () => {
  const store = createPendingStore(createFakeKv(), () => 5_000_000);
  await store.keep(pending, noRules);
  expect(await store.take(2, true)).toBe(false);
  expect(await store.take(3, false)).toBe(true);
  expect(await store.take(3, true)).toBe(false);
  expect(await store.load()).toBeNull();
});

test("what it goes back to is kept by the first of several changes", async () => {
  const store = createPendingStore(createFakeKv(), () => 5_000_000);
  const rules = { ...noRules, switchedOff: [1] };
  await store.keep(pending, rules);
  await store.keep({ ...pending, revision: 4 }, null);
  expect(await store.rulesBefore()).toEqual(rules);
});

const nowMs = Date.parse("2030-01-01T00:00:00Z");
const switches = { ...defaultSwitches, masterSwitchEnabled: true };
const denying = (...ranges: string[]): Rules => ({
  ...noRules,
  addresses: ranges.map((range) => ({
    ...{
      id: range,
      range,
      kind: "deny",
      note: "",
      author: "Ada",
      createdAt: "2030-01-01T00:00:00Z",
      expiresAt: null,
    },
  })),
});
const ada = { id: "ada", name: "Ada", ip: "203.0.113.9" };
const operator = { id: null, name: "the operator", ip: null };
const first = denying("198.51.100.1");

/** A store in which the first change of an admin waits already. */
const waitingStore = async () => {
  const store = createPendingStore(createFakeKv(), () => nowMs);
  const change: Change = { editor: ada, what: "Denied 198.51.100.1" };
  const step = { before: { rules: noRules, switches }, after: { rules: first, switches } };
  const undo = await keepWayBack(store, change, {
    ...{ ...step, waiting: null, revision: 1, nowMs, knowsCountries: false },
  });
  const waiting = await store.load();
  if (waiting === null) throw new Error("nothing waits");
  return { store, waiting, undo };
};

test("what could not be saved waits for nobody", async () => {
  const { store, undo } = await waitingStore();
  await undo();
  expect(await store.load()).toBeNull();
});

test("a change that joins one that waits and could not be saved leaves that as it was", async () => {
  const { store, waiting } = await waitingStore();
  const change = { editor: ada, what: "Denied 198.51.100.2" };
  const undo = await keepWayBack(store, change, {
    before: { rules: first, switches },
    after: { rules: denying("198.51.100.1", "198.51.100.2"), switches },
    ...{ waiting, revision: 2, nowMs: nowMs + 1_000, knowsCountries: false },
  });
  expect((await store.load())?.whats).toHaveLength(2);
  await undo();
  expect(await store.load()).toMatchObject({ revision: waiting.revision, whats: waiting.whats });
});

test("what is harmless joins a change that waits, which waits no longer for it and goes back as far", async () => {
  const { store, waiting } = await waitingStore();
  const milder = { ...switches, threshold: 9 };
  await keepWayBack(
    store,
    { editor: ada, what: "Threshold 9" },
    {
      before: { rules: first, switches: { ...switches, banMinutes: 20 } },
      after: { rules: first, switches: milder },
      ...{ waiting, revision: 2, nowMs: nowMs + 30_000, knowsCountries: false },
    },
  );
  expect(await store.load()).toMatchObject({ revision: 3, deadline: nowMs + confirmMs, switches });
});

test("what the operator could not save leaves what a trial goes back to as it was", async () => {
  const { store, waiting } = await waitingStore();
  const change = { editor: operator, what: "Denied 192.0.2.1", edit: () => denying("192.0.2.1") };
  const undo = await keepWayBack(store, change, {
    before: { rules: first, switches },
    after: { rules: denying("192.0.2.1"), switches },
    ...{ waiting, revision: 2, nowMs, knowsCountries: false },
  });
  expect((await store.rulesBefore()).addresses).toMatchObject([{ range: "192.0.2.1" }]);
  await undo();
  expect((await store.rulesBefore()).addresses).toEqual([]);
});

const deny = (address: string) => ({ body: { kind: "deny", address } });
const config = async (plugin: StartedPlugin) => Object((await plugin.call("GET", "/config")).json).data;
const ranges = async (plugin: StartedPlugin): Promise<string[]> =>
  Object((await plugin.call("GET", "/addresses")).json).data.entries.map(
    (entry: { range: string }) => entry.range,
  );
const isIn = async (plugin: StartedPlugin, ip: string) => (await plugin.pass({ ip })).stopped === null;

/** A plugin that is on, with nothing that waits. */
const started = async () => {
  const plugin = await startPlugin();
  await plugin.call("POST", "/on");
  return plugin;
};

describe("what can keep out an admin who is not signed in", () => {
  const stricter = [
    ["a higher paranoia level", "PUT", "/config", { paranoiaLevel: 4 }],
    ["a lower threshold", "PUT", "/config", { threshold: 2 }],
    ["all patterns that are switched on", "PUT", "/config", { patternsEnabled: true }],
    ["a pattern that is switched on", "PUT", "/patterns/1", { isOn: true }],
    ["an exemption that is removed", "DELETE", "/exemptions/:id", undefined],
    ["an exemption of fewer fields", "PUT", "/exemptions/:id", { fields: ["q"] }],
    ["bans that are switched on", "PUT", "/config", { bansEnabled: true }],
  ] as const;
  const lenient = async (switches: object) => {
    const plugin = await startPlugin();
    await plugin.call("PUT", "/patterns/1", { body: { isOn: false } });
    const { json } = await plugin.call("POST", "/exemptions", { body: { path: "/x" } });
    const { id } = Object(json).data.exemptions.at(-1);
    await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true, ...switches }, user: null });
    return { plugin, id: String(id) };
  };

  test.each(stricter)("F4: %s waits to be confirmed", async (_what, method, path, body) => {
    const { plugin, id } = await lenient({ patternsEnabled: !("patternsEnabled" in Object(body)) });
    const answer = await plugin.call(method, path.replace(":id", id), { body });
    expect([answer.status, Object(answer.json).message]).toEqual([
      200,
      "Saved. Confirm it within 90 seconds, or it is reverted automatically.",
    ]);
    expect((await config(plugin)).pending).not.toBeNull();
    await plugin.advance(confirmMs);
    expect(plugin.activities.at(-1)?.action).toContain("Reverted an unconfirmed change");
  });

  test.each([{ masterSwitchEnabled: false }, { developmentModeEnabled: true }])(
    "is nothing to confirm while patterns stop nobody: %p",
    async (switches) => {
      const { plugin, id } = await lenient(switches);
      // The exemption is narrowed before it is removed; bans refuse in development mode, too.
      for (const at of [0, 1, 2, 3, 5, 4]) {
        const [, method, path, body] = stricter[at] ?? stricter[0];
        expect((await plugin.call(method, path.replace(":id", id), { body })).status).toBe(200);
      }
      expect((await config(plugin)).pending).toBeNull();
    },
  );

  test("is nothing to confirm when the firewall is switched on as it was set", async () => {
    const plugin = await startPlugin();
    await plugin.call("PUT", "/config", { body: { paranoiaLevel: 4 } });
    await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true } });
    expect(await config(plugin)).toMatchObject({ pending: null, masterSwitchEnabled: true });
  });
});

describe("several changes on trial", () => {
  const denied = (count: number) => Array.from({ length: count }, (_, at) => `198.51.100.${at}`);

  test("are all named, a few of many, for whoever confirms them and where they are taken back", async () => {
    const plugin = await started();
    const [one, other] = denied(2);
    await plugin.call("POST", "/addresses", deny(one ?? ""));
    await plugin.call("POST", "/addresses", deny(other ?? ""));
    expect((await config(plugin)).pending.what).toBe(`Denied ${one}; Denied ${other}`);
    for (const address of denied(7).slice(2)) await plugin.call("POST", "/addresses", deny(address));
    const { what } = (await config(plugin)).pending;
    expect(what).toBe(
      `${denied(5)
        .map((address) => `Denied ${address}`)
        .join("; ")}; and 2 more`,
    );
    await plugin.advance(2 * confirmMs);
    expect(plugin.activities.at(-1)?.action).toBe(`Reverted an unconfirmed change: ${what}`);
    expect(await ranges(plugin)).toEqual([]);
  });

  test("whose names are too long for an action are named in its description", async () => {
    const plugin = await started();
    for (const path of ["/a", "/b", "/c"])
      await plugin.call("POST", "/rates", { body: { title: `${path} ${"x".repeat(60)}`, path } });
    const { what } = (await config(plugin)).pending;
    await plugin.advance(confirmMs);
    expect(plugin.activities.at(-1)?.description).toContain(what);
  });

  test("F4: wait three minutes in all at most", async () => {
    const plugin = await started();
    for (const [address, leftMs] of [
      ["198.51.100.1", 90_000],
      ["198.51.100.2", 90_000],
      ["198.51.100.3", 60_000],
    ] as const) {
      await plugin.call("POST", "/addresses", deny(address));
      expect((await config(plugin)).pending.leftMs).toBe(leftMs);
      await plugin.advance(leftMs === 60_000 ? 59_999 : 60_000);
    }
    expect(await isIn(plugin, "198.51.100.1")).toBe(false);
    await plugin.advance(1);
    expect([await isIn(plugin, "198.51.100.1"), (await config(plugin)).pending]).toEqual([true, null]);
  });
});

test("what the operator does at the terminal stays", async () => {
  const plugin = await started();
  await plugin.call("POST", "/addresses", { ...deny("198.51.100.0/24"), user: null });
  await plugin.advance(confirmMs);
  expect(await ranges(plugin)).toEqual(["198.51.100.0/24"]);
});

describe("the operator, while somebody's change waits", () => {
  const operator = { user: null };
  const onTrial = async () => {
    const plugin = await started();
    await plugin.call("POST", "/addresses", deny("198.51.100.0/24"));
    return plugin;
  };

  test("lists addresses and sets switches that stay when it goes back", async () => {
    const plugin = await onTrial();
    const { pending } = await config(plugin);
    const answer = await plugin.call("POST", "/addresses", { ...deny("192.0.2.1"), ...operator });
    expect([answer.status, Object(answer.json).message]).toEqual([200, "Denied 192.0.2.1."]);
    await plugin.call("PUT", "/config", { body: { threshold: 9 }, ...operator });
    expect((await config(plugin)).pending).toEqual(pending);
    expect([await isIn(plugin, "192.0.2.1"), await isIn(plugin, "198.51.100.1")]).toEqual([false, false]);
    await plugin.advance(confirmMs);
    expect([await ranges(plugin), (await config(plugin)).threshold]).toEqual([["192.0.2.1"], 9]);
  });

  test("removes what it added, and it can be confirmed as before", async () => {
    const plugin = await onTrial();
    const { revision } = (await config(plugin)).pending;
    const body = { address: "198.51.100.0/24" };
    expect((await plugin.call("POST", "/addresses/remove", { body, ...operator })).status).toBe(200);
    expect((await plugin.call("POST", "/confirm", { body: { revision } })).status).toBe(200);
    expect(await ranges(plugin)).toEqual([]);
  });

  test("is told what to do where both cannot hold, and nothing is changed", async () => {
    const plugin = await started();
    await plugin.call("POST", "/addresses", { ...deny("192.0.2.1"), ...operator });
    await plugin.call("POST", "/addresses", deny("198.51.100.1"));
    const body = { address: "192.0.2.1" };
    await plugin.call("POST", "/addresses/remove", { body });
    const allow = { body: { kind: "allow", ...body }, ...operator };
    const answer = await plugin.call("POST", "/addresses", allow);
    expect([answer.status, Object(answer.json).message]).toMatchObject([
      409,
      expect.stringMatching(/Ada.*in 90 s.*atrium firewall off/),
    ]);
    expect(await ranges(plugin)).toEqual(["198.51.100.1"]);
  });
});
