import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { pluginReplicas } from "#api/db/schema.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { pluginWorldForEachTest } from "#api/testing/plugin-world-for-each-test.ts";
import { until } from "#api/testing/until.ts";

const each = await pluginWorldForEachTest();
const { recorded, running } = each;
const name = "visitor-notes";

/** A host that has settled. */
const started = async (options: Parameters<typeof each.world.createHost>[0] = {}) => {
  const hosted = each.world.createHost(options);
  hosted.host.start();
  await until(() => each.world.events.isConnected && hosted.host.observe(name).state !== "starting");
  return hosted;
};
const replicaRows = () => each.db.select().from(pluginReplicas).where(eq(pluginReplicas.plugin, name));

describe("a plugin that is enabled", () => {
  test("runs with what was granted and set, is reached, and other servers can read so", async () => {
    const manifest = {
      settings: {
        schema: {
          type: "object",
          properties: { depth: { type: "integer", default: 3 }, unit: { type: "string" } },
        },
      },
    };
    await each.world.install({
      permissions: [{ name: "storage.kv" }],
      manifest,
      columns: { settings: { unit: "m", former: 1 } },
    });
    const { host, door, runtimes } = await running();
    expect(runtimes.last().program).toMatchObject({
      ...{ name, version: "1.0.0", permissions: ["storage.kv"] },
      settings: { depth: 3, unit: "m" },
      limits: { memoryMB: 48, cpuMs: 200, wallMs: 10_000 },
    });
    expect(door.opened.get(name)?.version).toBe("1.0.0");
    expect(host.observe(name)).toMatchObject({ isolation: "process", memoryBytes: 1_000_000, error: null });
    await until(async () => (await replicaRows())[0]?.state === "running");
    expect(await replicaRows()).toMatchObject([{ replica: host.replica, version: "1.0.0", error: null }]);
  });

  test("is told new settings without being started again", async () => {
    const schema = { type: "object", properties: { depth: { type: "integer", default: 3 } } };
    await each.world.install({ manifest: { settings: { schema } } });
    const { host, runtimes } = await running();
    await each.world.want(name, { settings: { depth: 5 } });
    await host.converge([name]);
    expect(runtimes.runs).toHaveLength(1);
    expect(runtimes.last().settings).toEqual([{ depth: 5 }]);
  });

  test("is started again with other grants", async () => {
    await each.world.install({ permissions: [{ name: "storage.kv" }] });
    const { host, runtimes } = await running();
    await each.world.want(name, { granted: [] });
    await host.converge([name]);
    expect(runtimes.runs.map(({ program }) => program.permissions)).toEqual([["storage.kv"], []]);
    expect(runtimes.runs[0]?.stopped).toBe("update");
  });

  test("is started again with other data, also where its start hangs with the former", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    await each.world.want(name, { dataKey: `${name}.7` });
    await host.converge([name]);
    expect(runtimes.runs.map(({ stopped }) => stopped)).toEqual(["update", null]);
    let starts = 0;
    runtimes.behave({ setup: () => (++starts === 1 ? new Promise(() => {}) : Promise.resolve()) });
    await each.world.want(name, { dataKey: `${name}.8` });
    await until(() => starts === 1);
    await each.world.want(name, { dataKey: `${name}.9` });
    await until(() => starts === 2);
    await host.converge([name]);
    expect(runtimes.runs.map(({ stopped }) => stopped)).toEqual(["update", "update", null]);
  });

  test("is closed immediately when it is disabled, and then told to end; once removed, it is forgotten", async () => {
    await each.world.install();
    const { host, door, runtimes } = await running();
    await each.world.want(name, { isEnabled: false });
    await host.converge([name]);
    expect(door.opened.has(name)).toBe(false);
    expect(runtimes.last().stopped).toBe("disable");
    expect(host.observe(name).state).toBe("disabled");
    await each.world.want(name, { isEnabled: true });
    await host.converge([name]);
    await each.world.remove(name);
    await host.converge([name]);
    expect(runtimes.last().stopped).toBe("remove");
    await until(async () => (await replicaRows()).length === 0);
  });

  test("does not start on a server in safe mode, whatever is wanted", async () => {
    await each.world.install();
    const { host, door, runtimes } = await started({ isSafeMode: true });
    await host.converge([name]);
    expect(host.observe(name).state).toBe("disabled");
    expect({ runs: runtimes.runs, open: door.opened.size }).toEqual({ runs: [], open: 0 });
  });

  test("is not told of any more for servers that are gone: nothing was heard of them for two minutes", async () => {
    const about = { replica: "gone", state: "running", version: "1.0.0", generation: 1 } as const;
    await each.db.insert(pluginReplicas).values([
      { plugin: name, ...about, seenAt: sql`now() - interval '130 seconds'` },
      { plugin: "other", ...about, seenAt: sql`now() - interval '110 seconds'` },
    ]);
    await each.world.install();
    await running();
    await until(async () => (await replicaRows()).every(({ replica }) => replica !== "gone"));
    const left = await each.db.select().from(pluginReplicas).where(eq(pluginReplicas.replica, "gone"));
    expect(left.map(({ plugin }) => plugin)).toEqual(["other"]);
  });

  test("is ended with the server, whose rows go", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    await until(async () => (await replicaRows()).length === 1);
    await host.stop();
    expect(runtimes.last().stopped).toBe("shutdown");
    expect(await replicaRows()).toEqual([]);
  });
});

describe("starts", () => {
  test("of plugins that hang hold up neither the server, nor others, nor being disabled", async () => {
    await each.world.install();
    await each.world.install({ name: "other" });
    const { host, runtimes, door } = each.world.createHost();
    runtimes.behave({
      setup: ({ name: asked }) => (asked === name ? new Promise(() => {}) : Promise.resolve()),
    });
    host.start();
    await until(() => host.observe("other").state === "running");
    expect(host.observe(name).state).toBe("starting");
    expect(door.opened.get(name)).toBeNull();
    await each.world.want(name, { isEnabled: false });
    const began = performance.now();
    await host.converge([name]);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(host.observe(name).state).toBe("disabled");
    expect(door.opened.has(name)).toBe(false);
  });

  test("happen four at a time", async () => {
    const names = ["one", "two", "three", "four", "five", "six"];
    for (const plugin of names) await each.world.install({ name: plugin });
    const { host, runtimes } = each.world.createHost();
    const waiting: (() => void)[] = [];
    runtimes.behave({ setup: () => new Promise((resolve) => waiting.push(resolve)) });
    host.start();
    for (const more of [0, 1, 2]) {
      await until(() => waiting.length - more >= 4);
      // Each that is done lets one more begin, and no other.
      expect(waiting.length).toBe(4 + more);
      waiting[more]?.();
    }
    for (const go of waiting) go();
    await host.converge(names);
    expect(names.map((each) => host.observe(each).state)).toEqual(names.map(() => "running"));
  });

  test("of plugins that others need come first", async () => {
    await each.world.install({ name: "alpha", manifest: { dependsOn: { omega: "^1.0.0" } } });
    await each.world.install({ name: "omega" });
    const { host, runtimes } = each.world.createHost();
    host.start();
    await until(() => host.observe("alpha").state === "running");
    expect(runtimes.runs.map(({ program }) => program.name)).toEqual(["omega", "alpha"]);
  });
});

describe("another version", () => {
  test("takes the place of the one that runs in one step, which finishes its calls", async () => {
    await each.world.install();
    const { host, door, runtimes } = await running();
    const { promise: answer, resolve } = Promise.withResolvers<null>();
    runtimes.behave({ invoke: () => answer });
    const underWay = door.opened.get(name)?.runtime.invoke("r0", null);
    const { sha256 } = await each.world.storeVersion({ version: "1.1.0" });
    await each.world.want(name, { version: "1.1.0", consentedSha256: sha256 });
    await host.converge([name]);
    expect(door.opened.get(name)?.version).toBe("1.1.0");
    const [former] = runtimes.runs;
    expect(former?.stopped).toBeNull();
    resolve(null);
    await underWay;
    await until(() => former?.stopped === "update");
    expect(host.observe(name)).toMatchObject({ state: "running", version: "1.1.0" });
  });

  test("that cannot start leaves the one that runs where it is", async () => {
    await each.world.install();
    const { host, door, runtimes } = await running();
    runtimes.behave({ setup: () => Promise.reject(new Error("no such table")) });
    const { sha256 } = await each.world.storeVersion({ version: "1.1.0" });
    await each.world.want(name, { version: "1.1.0", consentedSha256: sha256 });
    await host.converge([name]);
    expect(door.opened.get(name)?.version).toBe("1.0.0");
    expect(host.observe(name)).toMatchObject({
      ...{ state: "running", version: "1.0.0" },
      error: "Version 1.1.0 could not start: no such table",
    });
    expect(await recorded()).toEqual(["plugin_failed high"]);
    expect((await each.world.row()).isEnabled).toBe(true);
  });

  test("with fewer rights that cannot start does not leave the one with more rights where it is", async () => {
    await each.world.install({ permissions: [{ name: "storage.kv" }] });
    const { host, door, runtimes } = await running();
    runtimes.behave({ setup: () => Promise.reject(new Error("it needs values")) });
    await each.world.want(name, { granted: [] });
    await host.converge([name]);
    expect(runtimes.last().stopped).toBe("update");
    expect(door.opened.get(name) ?? null).toBeNull();
    expect(host.observe(name)).toMatchObject({ state: "failed", error: "it needs values" });
  });

  test("that was tried is the one that runs after the change, without a second start", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    const stored = await each.world.storeVersion({ version: "1.1.0" });
    const candidate = { name, version: "1.1.0", ...stored, granted: [], migrateFrom: "1.0.0" };
    const trial = await host.try(candidate);
    expect(host.observe(name).version).toBe("1.0.0");
    trial.keep();
    await each.world.want(name, {
      version: "1.1.0",
      migratedVersion: "1.1.0",
      consentedSha256: stored.sha256,
    });
    await host.converge([name]);
    expect(runtimes.runs.map(({ program }) => program.version)).toEqual(["1.0.0", "1.1.0"]);
    expect(runtimes.last()).toMatchObject({ migratedFrom: ["1.0.0"], stopped: null });
    expect(host.observe(name).version).toBe("1.1.0");
  });

  test("that was tried in vain is ended, and the reason told", async () => {
    const { sha256 } = await each.world.install();
    const { host, runtimes } = await running();
    const stored = await each.world.storeVersion({ version: "1.1.0" });
    const candidate = { name, version: "1.1.0", ...stored, granted: [], migrateFrom: "1.0.0" };
    const trial = await host.try(candidate);
    trial.keep();
    await trial.discard();
    expect(runtimes.last().stopped).toBe("update");
    await each.world.want(name, { version: "1.1.0", consentedSha256: stored.sha256 });
    await host.converge([name]);
    // Another server made the change: what was discarded is not what runs.
    expect(runtimes.runs.map(({ stopped }) => stopped)).toEqual(["update", "update", null]);
    await each.world.want(name, { version: "1.0.0", consentedSha256: sha256 });
    await host.converge([name]);
    runtimes.behave({ migrate: () => Promise.reject(new Error("odd data")) });
    expect(await failureOf(host.try(candidate))).toMatchObject({
      kind: "PLUGIN_START_FAILED",
      message: "Its data could not be migrated to this version: odd data",
    });
    expect(runtimes.last().stopped).toBe("update");
    expect(host.observe(name)).toMatchObject({ state: "running", version: "1.0.0" });
  });

  test("brings stored data along once, however many servers start it", async () => {
    await each.world.install({ version: "2.0.0", columns: { migratedVersion: "1.0.0" } });
    const [one, other] = [await running(), await running()];
    const migrations = [one, other].flatMap(({ runtimes }) => runtimes.last().migratedFrom);
    expect(migrations).toEqual(["1.0.0"]);
    expect((await each.world.row()).migratedVersion).toBe("2.0.0");
  });
});
