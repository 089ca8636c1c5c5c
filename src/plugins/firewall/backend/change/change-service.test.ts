import { describe, expect, test } from "bun:test";
import { adminIp, createSharedSettings, otherAdmin } from "../testing/fake-ctx.ts";
import { createFakeKv, fault } from "../testing/fake-kv.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";
import { confirmMs } from "./pending.ts";

const clockNow = () => ({ nowMs: Date.parse("2030-01-01T00:00:00Z") });
const deny = (address: string) => ({ body: { kind: "deny", address } });
const config = async (plugin: StartedPlugin) => Object((await plugin.call("GET", "/config")).json).data;
const ranges = async (plugin: StartedPlugin): Promise<string[]> => {
  const { data } = Object((await plugin.call("GET", "/addresses")).json);
  return data.entries.map((entry: { range: string }) => entry.range);
};
const isIn = async (plugin: StartedPlugin, ip: string) => (await plugin.pass({ ip })).stopped === null;
/** A plugin that is on, with nothing that waits. */
const started = async (options: Parameters<typeof startPlugin>[0] = {}) => {
  const plugin = await startPlugin(options);
  await plugin.call("POST", "/on");
  expect((await config(plugin)).pending).toBeNull();
  return plugin;
};

describe("PUT /config", () => {
  test("with a part changes that part, and leaves one row that says who it was", async () => {
    const plugin = await startPlugin();
    const { json } = await plugin.call("PUT", "/config", { body: { paranoiaLevel: 3 } });
    expect(json).toMatchObject({ success: true, data: { paranoiaLevel: 3, threshold: 5, revision: 1 } });
    expect(Object(json).data.adminPanel).toMatchObject({ enabled: true, menuItem: { title: "Firewall" } });
    expect(plugin.activities).toMatchObject([
      {
        type: "configuration_changed",
        action: "Changed the firewall: Paranoia level 3",
        description: `By Ada from ${adminIp}`,
      },
    ]);
  });

  test("with what does not go together is refused, and changes nothing", async () => {
    const plugin = await startPlugin();
    const answer = await plugin.call("PUT", "/config", {
      body: { banMinutes: 60, banMostMinutes: 30, threshold: 9 },
    });
    expect([answer.status, answer.json]).toMatchObject([422, { errors: [{ path: "banMostMinutes" }] }]);
    expect(await config(plugin)).toMatchObject({ banMinutes: 15, threshold: 5, revision: 0 });
  });

  test("that names an older revision is refused, and changes nothing", async () => {
    const plugin = await startPlugin();
    await plugin.call("PUT", "/config", { body: { threshold: 6, revision: 0 } });
    const late = await plugin.call("PUT", "/config", {
      body: { threshold: 7, revision: 0 },
      user: otherAdmin,
    });
    expect([late.status, late.json]).toMatchObject([409, { code: "CONFLICT" }]);
    expect((await config(plugin)).threshold).toBe(6);
  });

  test("while the database is away answers 503, and changes nothing", async () => {
    const plugin = await startPlugin();
    plugin.kv.fails = () => fault("UNAVAILABLE");
    expect(await plugin.call("PUT", "/config", { body: { threshold: 7 } })).toMatchObject({
      status: 503,
      json: { code: "DB_UNAVAILABLE" },
    });
    plugin.kv.fails = () => null;
    expect((await config(plugin)).threshold).toBe(5);
  });
});

describe("an admin cannot shut themselves out", () => {
  test("F4: rules that hit their own address are refused with the reason, and change nothing", async () => {
    const plugin = await started();
    plugin.countries.set(adminIp, "FR");
    for (const [path, method, body] of [
      ["/addresses", "POST", { kind: "deny", address: adminIp }],
      ["/addresses", "POST", { kind: "deny", address: "203.0.113.0/24" }],
      ["/addresses", "POST", { kind: "deny", address: "::ffff:203.0.113.9" }],
      ["/addresses", "POST", { kind: "deny", address: "0.0.0.0/0" }],
      ["/addresses/import", "POST", { format: "csv", text: `203.0.113.0/28,deny` }],
      ["/countries", "PUT", { mode: "deny", codes: ["FR"] }],
      ["/countries", "PUT", { mode: "allow", codes: ["DE"] }],
    ] as const) {
      const answer = await plugin.call(method, path, { body });
      expect([path, answer.status, Object(answer.json).code]).toEqual([path, 409, "OWN_ADDRESS"]);
      expect(Object(answer.json).message).toContain(adminIp);
    }
    expect(await ranges(plugin)).toEqual([]);
    expect(await isIn(plugin, adminIp)).toBe(true);
  });

  test("the trial of an import tells which lines would shut them out, and that nothing would be imported", async () => {
    const plugin = await started();
    const trial = async (text: string) => {
      const body = { format: "csv", text, isTrial: true };
      return Object((await plugin.call("POST", "/addresses/import", { body })).json).data;
    };
    const report = await trial(`198.51.100.1,deny\n203.0.113.0/28,deny\n${adminIp},deny`);
    expect(report).toMatchObject({ added: 1, refused: 2 });
    expect(report.obstacle).toContain("would lock you out: your IP address is denied");
    expect(
      report.lines.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome]),
    ).toEqual([
      [2, "refused"],
      [3, "refused"],
      [1, "added"],
    ]);
    expect(await trial(`203.0.113.0/28,deny\n${adminIp},allow`)).toMatchObject({ added: 2, obstacle: null });
  });

  test("F4: switching on with such rules is refused, too", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/addresses", { ...deny(adminIp), user: null });
    expect((await plugin.call("POST", "/on")).status).toBe(409);
    expect((await plugin.call("PUT", "/config", { body: { masterSwitchEnabled: true } })).status).toBe(409);
    expect((await config(plugin)).masterSwitchEnabled).toBe(false);
  });

  test("F4: a change that nobody confirms goes back after 90 s, and not before", async () => {
    const clock = clockNow();
    const plugin = await started({ clock });
    await plugin.call("POST", "/addresses", deny("198.51.100.0/24"));
    expect(await isIn(plugin, "198.51.100.1")).toBe(false);
    expect((await config(plugin)).pending).toMatchObject({ leftMs: confirmMs, by: "Ada", isOwn: true });
    await plugin.advance(confirmMs - 1);
    expect(await isIn(plugin, "198.51.100.1")).toBe(false);
    await plugin.advance(1);
    expect(await isIn(plugin, "198.51.100.1")).toBe(true);
    expect([await ranges(plugin), (await config(plugin)).pending]).toEqual([[], null]);
    expect(plugin.activities.at(-1)?.action).toContain("Reverted an unconfirmed change");
  });

  test("F4: a change that is confirmed stays", async () => {
    const plugin = await started();
    await plugin.call("POST", "/addresses", deny("198.51.100.0/24"));
    const { revision } = (await config(plugin)).pending;
    expect((await plugin.call("POST", "/confirm", { body: { revision: revision - 1 } })).status).toBe(409);
    expect((await plugin.call("POST", "/confirm", { body: { revision } })).status).toBe(200);
    await plugin.advance(10 * confirmMs);
    expect(await isIn(plugin, "198.51.100.1")).toBe(false);
  });

  test("F4: it goes back although the server was started again meanwhile", async () => {
    const clock = clockNow();
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const before = await started({ clock, kv, shared });
    await before.call("POST", "/addresses", deny("198.51.100.0/24"));
    await before.stop();
    shared.listeners.length = 0;
    const after = await startPlugin({ clock, kv, shared, replica: "replica-2" });
    expect(await isIn(after, "198.51.100.1")).toBe(false);
    await after.advance(confirmMs);
    expect(await isIn(after, "198.51.100.1")).toBe(true);
    expect(shared.values.masterSwitchEnabled).toBe(true);
  });

  test("F4: it goes back once, and on every replica", async () => {
    const clock = clockNow();
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const [one, other] = [
      await started({ clock, kv, shared }),
      await startPlugin({ clock, kv, shared, replica: "replica-2" }),
    ];
    await one.call("POST", "/addresses", deny("198.51.100.0/24"));
    expect(await isIn(other, "198.51.100.1")).toBe(false);
    await Promise.all([one.advance(confirmMs), other.advance(0)]);
    expect([await isIn(one, "198.51.100.1"), await isIn(other, "198.51.100.1")]).toEqual([true, true]);
    const rows = [...one.activities, ...other.activities].filter(({ action }) =>
      action.startsWith("Reverted"),
    );
    expect(rows).toHaveLength(1);
  });

  test("switching on waits to be confirmed where rules could shut somebody out, and goes off again by itself", async () => {
    const clock = clockNow();
    const plugin = await startPlugin({ clock });
    await plugin.call("POST", "/addresses", deny("198.51.100.0/24"));
    expect((await config(plugin)).pending).toBeNull();
    await plugin.call("POST", "/on");
    expect(await isIn(plugin, "198.51.100.1")).toBe(false);
    await plugin.advance(confirmMs);
    expect((await config(plugin)).masterSwitchEnabled).toBe(false);
    expect(await ranges(plugin)).toEqual(["198.51.100.0/24"]);
  });

  test.each([
    ["a rate rule", "POST", "/rates", { path: "/*", max: 1 }],
    ["country rules", "PUT", "/countries", { mode: "deny", codes: ["FR"] }],
  ] as const)("%s waits to be confirmed", async (_what, method, path, body) => {
    const plugin = await started();
    await plugin.call(method, path, { body });
    expect((await config(plugin)).pending).not.toBeNull();
  });

  test.each([
    ["patterns", "PUT", "/patterns/1", { isOn: false }],
    ["an exemption", "POST", "/exemptions", { path: "/x" }],
    ["an address that is let in", "POST", "/addresses", { kind: "allow", address: "198.51.100.1" }],
    ["a rate rule that only writes down", "POST", "/rates", { path: "/*", action: "log" }],
    ["a lower paranoia level", "PUT", "/config", { paranoiaLevel: 1, threshold: 9 }],
  ] as const)("%s need not be confirmed", async (_what, method, path, body) => {
    const plugin = await started();
    expect((await plugin.call(method, path, { body })).status).toBe(200);
    expect((await config(plugin)).pending).toBeNull();
  });

  test("what is switched on in the form of the plugin's settings goes back as well", async () => {
    const clock = clockNow();
    const plugin = await startPlugin({ clock });
    await plugin.call("POST", "/addresses", deny("198.51.100.0/24"));
    await plugin.ctx.settings.set({ masterSwitchEnabled: true });
    await plugin.advance(1);
    expect((await config(plugin)).pending).not.toBeNull();
    await plugin.advance(confirmMs);
    expect([(await config(plugin)).masterSwitchEnabled, await isIn(plugin, "198.51.100.1")]).toEqual([
      false,
      true,
    ]);
  });
});

describe("two admins", () => {
  test("lose nothing of each other's changes", async () => {
    const clock = clockNow();
    const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
    const [one, other] = [
      await startPlugin({ clock, kv, shared }),
      await startPlugin({ clock, kv, shared, replica: "replica-2" }),
    ];
    const addresses = Array.from({ length: 10 }, (_, index) => `198.51.100.${index}`);
    const answers = await Promise.all(
      addresses.map((address, index) =>
        (index % 2 === 0 ? one : other).call("POST", "/addresses", deny(address)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200));
    expect((await ranges(one)).toSorted()).toEqual(addresses);
    await other.advance(1_000);
    expect((await ranges(other)).toSorted()).toEqual(addresses);
  });

  test("do not change what the other has yet to confirm, and may switch the firewall off", async () => {
    const plugin = await started();
    await plugin.call("POST", "/addresses", deny("198.51.100.0/24"));
    const refused = await plugin.call("POST", "/addresses", { ...deny("192.0.2.1"), user: otherAdmin });
    expect([refused.status, Object(refused.json).message]).toMatchObject([
      409,
      expect.stringContaining("Ada"),
    ]);
    expect((await plugin.call("POST", "/off", { user: otherAdmin })).status).toBe(200);
    await plugin.advance(confirmMs);
    expect([(await config(plugin)).masterSwitchEnabled, await ranges(plugin)]).toEqual([false, []]);
  });
});

test("an exemption that is in the list already is refused, however it is written, and changes nothing", async () => {
  const plugin = await started();
  const body = {
    ...{ method: "POST", path: "/api/notes", fields: ["text", "title"] },
    categories: ["sql-injection", "cross-site-scripting"],
  };
  const again = {
    ...{ method: "post", path: "/api/notes", fields: ["title", "text"], note: "Notes" },
    categories: ["cross-site-scripting", "sql-injection"],
  };
  const known = {
    status: 409,
    json: { code: "CONFLICT", message: "This exemption is already in the list." },
  };
  const own = async (): Promise<{ id: string; note: string }[]> =>
    Object((await plugin.call("GET", "/exemptions")).json).data.exemptions.filter(
      ({ isBuiltIn }: { isBuiltIn: boolean }) => !isBuiltIn,
    );
  const twice = await Promise.all(
    [body, again].map((each) => plugin.call("POST", "/exemptions", { body: each })),
  );
  expect(twice.map(({ status }) => status)).toEqual([200, 409]);
  expect(twice[1]).toMatchObject(known);
  expect(await plugin.call("POST", "/exemptions", { body: { ...body, fields: ["text"] } })).toMatchObject({
    status: 200,
  });
  const [first, second] = await own();
  expect(await plugin.call("PUT", `/exemptions/${second?.id}`, { body: again })).toMatchObject(known);
  expect((await plugin.call("PUT", `/exemptions/${first?.id}`, { body: again })).status).toBe(200);
  expect((await own()).map(({ note }) => note)).toEqual(["Notes", ""]);
});

test("restoring rules that are not damaged says so, and leaves no row", async () => {
  const plugin = await started();
  const rows = plugin.activities.length;
  const { status, json } = await plugin.call("POST", "/rules/restore", { user: null });
  expect([status, Object(json).message]).toMatchObject([200, expect.stringContaining("Nothing was damaged")]);
  expect(plugin.activities).toHaveLength(rows);
});

describe("F6: while the stored rules are damaged", () => {
  const damaged = async () => {
    const plugin = await started();
    await plugin.call("POST", "/addresses", { ...deny("198.51.100.1"), user: null });
    plugin.kv.values.set("rules", { json: "{broken", version: 99, endsAt: Number.POSITIVE_INFINITY });
    await plugin.advance(60_000);
    return plugin;
  };

  test("those that were good last stay in force, and one critical row tells of it", async () => {
    const plugin = await damaged();
    expect([await isIn(plugin, "198.51.100.1"), await isIn(plugin, "198.51.100.2")]).toEqual([false, true]);
    expect((await config(plugin)).trouble).toMatchObject({ kind: "unreadable", inForce: "last-good" });
    expect(plugin.activities.filter(({ severity }) => severity === "critical")).toHaveLength(1);
  });

  test("nothing can be saved, until they are restored", async () => {
    const plugin = await damaged();
    for (const [method, path, body] of [
      ["POST", "/addresses", { kind: "deny", address: "192.0.2.7" }],
      ["PUT", "/config", { paranoiaLevel: 4 }],
      ["PUT", "/patterns/1", { isOn: false }],
    ] as const)
      expect(await plugin.call(method, path, { body })).toMatchObject({
        status: 503,
        json: { code: "RULES_CLOSED" },
      });
    expect((await plugin.call("POST", "/rules/restore")).status).toBe(200);
    expect((await plugin.call("PUT", "/config", { body: { paranoiaLevel: 4 } })).status).toBe(200);
    expect(await ranges(plugin)).toEqual(["198.51.100.1"]);
  });

  test("the firewall can be switched off", async () => {
    const plugin = await damaged();
    expect((await plugin.call("POST", "/off", { user: null })).status).toBe(200);
    expect(await isIn(plugin, "198.51.100.1")).toBe(true);
  });
});
