import { describe, expect, test } from "bun:test";
import { noRules } from "../rules/rules.ts";
import { defaultSwitches } from "../switches.ts";
import { adminIp, createSharedSettings, otherAdmin } from "../testing/fake-ctx.ts";
import { createFakeKv } from "../testing/fake-kv.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";
import { isRisky, type State } from "./lock-out.ts";
import { confirmMs } from "./pending.ts";

const clockNow = () => ({ nowMs: Date.parse("2030-01-01T00:00:00Z") });
const ownRange = "203.0.113.0/24";
const elsewhere = { user: otherAdmin, ip: "198.51.100.77" };
const entry = (kind: string, address: string, more: object = {}) => ({ body: { kind, address, ...more } });
const config = async (plugin: StartedPlugin) =>
  Object((await plugin.call("GET", "/config", elsewhere)).json).data;
const isIn = async (plugin: StartedPlugin, ip: string) => (await plugin.pass({ ip })).stopped === null;
const confirm = async (plugin: StartedPlugin) => {
  const { revision } = (await config(plugin)).pending;
  expect((await plugin.call("POST", "/confirm", { ...elsewhere, body: { revision } })).status).toBe(200);
};

describe("F4: an entry that lets the acting admin in for a time", () => {
  const started = async (more: object) => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    await plugin.call("POST", "/addresses", entry("allow", adminIp, more));
    return plugin;
  };

  test("does not make good what keeps them out once it has expired", async () => {
    const plugin = await started({ for: "30m" });
    plugin.countries.set(adminIp, "FR");
    for (const [method, path, body] of [
      ["POST", "/addresses", { kind: "deny", address: ownRange }],
      ["PUT", "/countries", { mode: "deny", codes: ["FR"] }],
    ] as const) {
      const answer = await plugin.call(method, path, { body });
      expect([path, answer.status, answer.json]).toMatchObject([path, 409, { code: "OWN_ADDRESS" }]);
      expect(Object(answer.json).message).toContain("as soon as");
      expect(Object(answer.json).message).toContain("Add your own IP address to the allow list first");
    }
    await plugin.advance(31 * 60_000);
    expect(await isIn(plugin, adminIp)).toBe(true);
  });

  test("cannot be made of one without an end while they need it", async () => {
    const plugin = await started({});
    await plugin.call("POST", "/addresses", entry("deny", ownRange));
    await confirm(plugin);
    const list = Object((await plugin.call("GET", "/addresses", { query: { kind: "allow" } })).json).data;
    const change = { body: { expiresAt: "2030-01-01T00:00:04Z" } };
    const path = `/addresses/${list.entries[0].id}`;
    expect((await plugin.call("PUT", path, change)).json).toMatchObject({ code: "OWN_ADDRESS" });
    expect((await plugin.call("PUT", path, { ...change, ...elsewhere })).status).toBe(200);
    expect((await config(plugin)).pending).not.toBeNull();
  });
});

describe("F4: the form of the plugin's settings", () => {
  /** The firewall is off, and a range of addresses is denied. */
  const started = async (address: string, options: Parameters<typeof startPlugin>[0] = {}) => {
    const plugin = await startPlugin(options);
    await plugin.call("POST", "/addresses", { ...entry("deny", address), ...elsewhere });
    await plugin.call("POST", "/on", { user: null });
    await plugin.call("POST", "/off", { user: null });
    return plugin;
  };
  const save = async (plugin: StartedPlugin, values: Record<string, boolean | number>) => {
    await plugin.ctx.settings.set(values);
    await plugin.advance(0);
  };

  test.each([[undefined], [0], [1], [2], [5_000]])(
    "cannot pass for the firewall's own write with the revision %p",
    async (revision) => {
      const clock = clockNow();
      const plugin = await started("198.51.100.0/28", { clock });
      await save(plugin, { masterSwitchEnabled: true, ...(revision === undefined ? {} : { revision }) });
      await plugin.advance(4_000);
      const { pending, masterSwitchEnabled } = await config(plugin);
      expect(pending !== null || !masterSwitchEnabled).toBe(true);
      await plugin.advance(confirmMs);
      expect([await isIn(plugin, "198.51.100.1"), plugin.shared.values.masterSwitchEnabled]).toEqual([
        true,
        false,
      ]);
    },
  );

  test("never puts in force what keeps out an address that an admin was seen on, whoever saves it", async () => {
    const plugin = await started(ownRange);
    await plugin.call("GET", "/status");
    await save(plugin, { masterSwitchEnabled: true, revision: 5_000 });
    expect([await isIn(plugin, adminIp), plugin.shared.values.masterSwitchEnabled]).toEqual([true, false]);
    expect((await config(plugin)).pending).toBeNull();
    expect(plugin.activities.at(-1)?.action).toContain(`an admin's IP address ${adminIp}`);
  });

  test("knows addresses that an admin was seen on at another replica, too", async () => {
    const clock = clockNow();
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const other = await startPlugin({ clock, kv, shared, replica: "replica-2" });
    await other.call("GET", "/status");
    await other.advance(0);
    await other.stop();
    shared.listeners.length = 0;
    const plugin = await started(ownRange, { clock, kv, shared });
    await save(plugin, { masterSwitchEnabled: true });
    expect(await isIn(plugin, adminIp)).toBe(true);
  });

  test("changes nothing risky while somebody else's change waits", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    await plugin.call("PUT", "/config", { body: { developmentModeEnabled: true } });
    await plugin.call("POST", "/rates", { body: { path: "/x", max: 5 } });
    await plugin.call("POST", "/addresses", entry("deny", "198.51.100.1"));
    await save(plugin, { developmentModeEnabled: false });
    expect((await config(plugin)).developmentModeEnabled).toBe(true);
  });

  test("changes what shuts nobody out on all replicas", async () => {
    const clock = clockNow();
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const [one, other] = [
      await startPlugin({ clock, kv, shared }),
      await startPlugin({ clock, kv, shared, replica: "replica-2" }),
    ];
    await one.call("POST", "/on");
    await save(one, { threshold: 9 });
    await other.advance(0);
    expect([(await config(one)).threshold, (await config(other)).threshold]).toEqual([9, 9]);
  });
});

describe("F4: enabling the plugin", () => {
  const ended = async (reason: "disable" | "shutdown", clock = clockNow()) => {
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const before = await startPlugin({ clock, kv, shared });
    await before.call("POST", "/on", elsewhere);
    await before.call("POST", "/addresses", { ...entry("deny", ownRange), ...elsewhere });
    await confirm(before);
    await before.stop(reason);
    shared.listeners.length = 0;
    return startPlugin({ clock, kv, shared });
  };

  test("with rules that could keep somebody out waits to be confirmed, and else switches the firewall off", async () => {
    const plugin = await ended("disable");
    expect((await config(plugin)).pending.what).toContain("Enabled");
    await plugin.advance(confirmMs);
    expect([await isIn(plugin, adminIp), (await config(plugin)).masterSwitchEnabled]).toEqual([true, false]);
  });

  test("stays as it is once somebody confirmed it, and the next start is nothing to confirm", async () => {
    const plugin = await ended("disable");
    await confirm(plugin);
    await plugin.advance(confirmMs);
    expect([await isIn(plugin, adminIp), (await config(plugin)).pending]).toEqual([false, null]);
  });

  test("is not what happens when the server is started again", async () => {
    const plugin = await ended("shutdown");
    await plugin.advance(confirmMs);
    expect([await isIn(plugin, adminIp), (await config(plugin)).pending]).toEqual([false, null]);
  });

  test("while a change waits leads back to a firewall that is off", async () => {
    const clock = clockNow();
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const before = await startPlugin({ clock, kv, shared });
    await before.call("POST", "/on", elsewhere);
    await before.call("POST", "/addresses", { ...entry("deny", ownRange), ...elsewhere });
    await confirm(before);
    await before.call("POST", "/addresses", { ...entry("deny", "192.0.2.1"), ...elsewhere });
    await before.stop("disable");
    shared.listeners.length = 0;
    const plugin = await startPlugin({ clock, kv, shared });
    await plugin.advance(confirmMs);
    expect(await isIn(plugin, adminIp)).toBe(true);
  });
});

const open: State = { rules: noRules, switches: { ...defaultSwitches, masterSwitchEnabled: true } };
const onlyFrance: State = { ...open, rules: { ...noRules, countries: { mode: "allow", codes: ["FR"] } } };

test("F4: rules about countries can shut somebody out as soon as countries are known, and not before", () => {
  expect([isRisky(open, onlyFrance, true), isRisky(open, onlyFrance, false)]).toEqual([true, false]);
});
