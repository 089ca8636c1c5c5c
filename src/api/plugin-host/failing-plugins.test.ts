import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { pluginKeys, pluginVersions } from "#api/db/schema.ts";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { createPluginWorld } from "#api/testing/plugin-world.ts";
import { until } from "#api/testing/until.ts";
import { generateKey } from "./package/keys.ts";
import { InvocationError, type RuntimeFailure } from "./runtime.ts";

let database: TestDatabase;
let world: ReturnType<typeof createPluginWorld>;
let read: () => Promise<LoggedActivity[]>;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  world = createPluginWorld(database.db);
  read = createActivityReader(world.ctx);
  await read();
});
afterEach(async () => {
  await world.close();
  for (const table of ["plugins", "plugin_versions", "plugin_replicas", "plugin_keys"])
    await database.db.execute(`delete from ${table}`);
});

const name = "visitor-notes";
const types = async () => (await read()).map(({ type, severity }) => `${type} ${severity}`);
const crash: RuntimeFailure = { kind: "crash", reason: "Its process ended", hasRecovered: false };

const running = async (options: Parameters<typeof world.createHost>[0] = {}) => {
  const hosted = world.createHost(options);
  hosted.host.start();
  await until(() => hosted.host.observe(name).state === "running");
  return hosted;
};

describe("a plugin that fails", () => {
  test("answers 503 for a moment, and runs again within half a second", async () => {
    await world.install();
    const { host, door, runtimes } = await running();
    runtimes.last().host.failed(crash);
    expect(host.observe(name)).toMatchObject({ state: "failed", error: "Its process ended" });
    expect(door.standing.get(name)).toBeNull();
    expect(await until(() => host.observe(name).state === "running")).toBeLessThan(500);
    expect(door.standing.get(name)).not.toBeNull();
    expect(await types()).toEqual(["plugin_failed high", "plugin_recovered low"]);
    expect((await world.row()).isEnabled).toBe(true);
  });

  test("for the fourth time in a minute is switched off on all servers, until it is enabled again", async () => {
    await world.install();
    const [{ host, door, runtimes }, other] = [await running(), await running()];
    for (const expected of [2, 3, 4]) {
      runtimes.last().host.failed(crash);
      await until(() => runtimes.runs.length === expected);
      await until(() => host.observe(name).state === "running");
    }
    runtimes.last().host.failed(crash);
    await until(() => other.host.observe(name).state === "quarantined");
    const reason = "It failed too often. The last time: Its process ended";
    expect(host.observe(name)).toMatchObject({ state: "quarantined", error: reason });
    expect(await world.row()).toMatchObject({ isEnabled: false, quarantineReason: reason });
    expect([door.standing.size, other.door.standing.size]).toEqual([0, 0]);
    expect(other.runtimes.last().stopped).toBe("disable");
    expect((await types()).filter((type) => type === "plugin_failed critical")).toHaveLength(1);
    await world.want(name, { isEnabled: true, quarantineReason: null });
    await until(() => host.observe(name).state === "running");
    runtimes.last().host.failed(crash);
    await until(() => host.observe(name).state === "running");
  });

  test("now and then is started again each time", async () => {
    await world.install();
    const { host, runtimes } = await running();
    for (const expected of [2, 3, 4, 5, 6]) {
      runtimes.last().host.failed(crash);
      await until(() => runtimes.runs.length === expected);
      await until(() => host.observe(name).state === "running");
      world.clock.advance(30_000);
    }
    expect(host.observe(name).state).toBe("running");
  });

  test("and goes on by itself is told of, and counts", async () => {
    await world.install();
    const { host, runtimes } = await running();
    const healed: RuntimeFailure = { kind: "cpu", reason: "It computed too long", hasRecovered: true };
    runtimes.last().host.failed(healed);
    expect(host.observe(name).state).toBe("running");
    expect(await types()).toEqual(["plugin_failed high", "plugin_recovered low"]);
    for (let count = 0; count < 3; count += 1) runtimes.last().host.failed(healed);
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toHaveLength(1);
  });

  test("in its set-up is tried four times, and then switched off", async () => {
    await world.install();
    const { host, runtimes } = world.createHost();
    let tries = 0;
    runtimes.behave({
      setup: () => {
        tries += 1;
        return Promise.reject(new Error("no such table"));
      },
    });
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(tries).toBe(4);
    expect(host.observe(name).error).toBe("It failed too often. The last time: no such table");
  });

  test("by registering what was not granted is not opened", async () => {
    await world.install();
    const { host, door, runtimes } = world.createHost();
    runtimes.behave({ registration: { jobs: [{ handler: "j0", name: "tidy", everyMs: 5_000 }] } });
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(door.standing.size).toBe(0);
    expect(runtimes.runs.map(({ stopped }) => stopped)).toEqual(Array(4).fill("shutdown"));
    expect(await types()).toContain("permission_violation medium");
  });

  test("says that it is not well three times in a row, and is started again", async () => {
    await world.install();
    const { host, runtimes } = await running();
    runtimes.behave({ health: async () => ({ ok: false, detail: "the queue is full" }) });
    const seen = () =>
      host.logs(name, 0).filter(({ message }) => message.includes("the queue is full")).length;
    for (const expected of [1, 2]) {
      world.clock.advance(30_000);
      await until(() => seen() >= expected);
    }
    expect(runtimes.runs).toHaveLength(1);
    world.clock.advance(30_000);
    await until(() => runtimes.runs.length === 2);
    expect(runtimes.runs[0]?.stopped).toBe("shutdown");
    expect(await types()).toEqual(["health_check_failed high", "plugin_failed high", "plugin_recovered low"]);
  });

  test("to answer how it is because it has too much to do is left alone", async () => {
    await world.install();
    const { runtimes } = await running();
    let asked = 0;
    runtimes.behave({
      health: () => {
        asked += 1;
        return Promise.reject(new InvocationError("too-many", "busy"));
      },
    });
    for (const expected of [1, 2, 3, 4]) {
      world.clock.advance(30_000);
      await until(() => asked === expected);
    }
    expect(runtimes.runs).toHaveLength(1);
  });
});

describe("a plugin that breaks the rules", () => {
  test("is switched off at once", async () => {
    await world.install();
    const { host, runtimes } = await running();
    const reason = "It sent a message that no plugin can send";
    runtimes.last().host.failed({ kind: "violation", reason, hasRecovered: false });
    await until(async () => (await world.row()).quarantineReason === reason);
    expect(host.observe(name)).toMatchObject({ state: "quarantined", error: reason });
    expect(runtimes.runs).toHaveLength(1);
    expect(await types()).toEqual(["plugin_failed critical"]);
  });

  test("by asking again and again for what it was not granted is switched off as suspicious", async () => {
    await world.install();
    const violations: (() => void)[] = [];
    const { host } = await running({
      hostCalls: ({ violated }) => {
        violations.push(() => violated("It kept asking for what it was not granted (kv)"));
        return async () => undefined;
      },
    });
    violations[0]?.();
    await until(async () => !(await world.row()).isEnabled);
    expect(host.observe(name).state).toBe("quarantined");
    expect(await types()).toEqual(["suspicious_activity critical"]);
  });

  test("stays off here when that cannot be stored, which is tried again", async () => {
    await world.install();
    let isAway = true;
    const transaction: typeof database.db.transaction = (...work) =>
      isAway ? Promise.reject(new Error("away")) : database.db.transaction(...work);
    const db = Object.assign(Object.create(database.db), { transaction });
    const { host, runtimes } = await running({ db });
    runtimes.last().host.failed({ kind: "violation", reason: "Forged", hasRecovered: false });
    await until(() => host.observe(name).state === "quarantined");
    await host.converge([name]);
    expect((await world.row()).isEnabled).toBe(true);
    expect(host.observe(name).state).toBe("quarantined");
    isAway = false;
    world.clock.advance(15_000);
    await until(async () => !(await world.row()).isEnabled);
    expect(runtimes.runs).toHaveLength(1);
  });
});

describe("a package", () => {
  test("that cannot be read now makes its plugin wait, as long as it takes", async () => {
    await world.install();
    let isAway = true;
    const get = (key: string) => (isAway ? Promise.reject(new Error("away")) : world.ctx.objects.get(key));
    const { host } = world.createHost({ objects: { ...world.ctx.objects, get } });
    host.start();
    await until(() => host.observe(name).state === "failed");
    for (let round = 0; round < 6; round += 1) await host.converge([name]);
    expect(host.observe(name)).toMatchObject({
      ...{ state: "failed", error: "Its package cannot be read at the moment" },
    });
    expect((await world.row()).isEnabled).toBe(true);
    isAway = false;
    world.clock.advance(15_000);
    await until(() => host.observe(name).state === "running");
    expect(await types()).toEqual(["plugin_failed high"]);
  });

  test("that was altered in the store is not started, and its plugin switched off", async () => {
    const { objectKey } = await world.install({ isEnabled: false });
    const bytes = (await world.ctx.objects.get(objectKey)) ?? new Uint8Array();
    await world.ctx.objects.put(objectKey, bytes.with(40, 1 - (bytes[40] ?? 0)), {
      contentType: "application/zip",
    });
    await world.want(name, { isEnabled: true });
    const { host, runtimes } = world.createHost();
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toEqual([]);
    await until(async () => !(await world.row()).isEnabled);
    expect(await types()).toEqual(["signature_failed critical"]);
  });

  test("in whose place another one was put is not started either", async () => {
    const { sha256 } = await world.install({ isEnabled: false });
    const other = await world.storeVersion({ version: "0.9.0" });
    await database.db
      .update(pluginVersions)
      .set({ objectKey: other.objectKey })
      .where(eq(pluginVersions.sha256, sha256));
    await world.want(name, { isEnabled: true });
    const { host, runtimes } = world.createHost();
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toEqual([]);
  });

  test("is taken from this machine when it was used before, and from the store when it was altered here", async () => {
    await world.install();
    let reads = 0;
    const get = (key: string) => {
      reads += 1;
      return world.ctx.objects.get(key);
    };
    const { host, folder, runtimes } = await running({ objects: { ...world.ctx.objects, get } });
    const zips = (await readdir(join(folder, name))).filter((entry) => entry.endsWith(".zip"));
    expect(zips).toHaveLength(1);
    runtimes.last().host.failed(crash);
    await until(() => runtimes.runs.length === 2);
    expect(reads).toBe(1);
    await writeFile(join(folder, name, zips[0] ?? ""), "something else");
    await until(() => host.observe(name).state === "running");
    runtimes.last().host.failed(crash);
    await until(() => runtimes.runs.length === 3);
    expect(reads).toBe(2);
  });

  test("that nobody needs any more is removed here at the next start of a server", async () => {
    await world.install();
    const { host, folder } = await running();
    await host.stop();
    await world.remove(name);
    await database.db.delete(pluginVersions);
    const next = world.createHost({ folder });
    next.host.start();
    await until(async () => (await readdir(folder)).length === 0);
  });

  test("that is unsigned, and that nobody agreed to, is not started", async () => {
    await world.install({ isAgreedTo: false });
    const { host, runtimes } = world.createHost();
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toEqual([]);
  });

  test("whose key is revoked ends its plugin while it runs, on every server", async () => {
    const { privateKey, publicKey, keyId } = generateKey();
    const now = world.clock.now();
    await database.db.insert(pluginKeys).values({
      ...{ keyId, publicKey, label: "Tests", tier: "verified", names: ["*"], createdAt: now },
    });
    await world.install({ privateKey, isAgreedTo: false, columns: { publisherKeyId: keyId } });
    const [one, other] = [await running(), await running()];
    await database.db.update(pluginKeys).set({ revokedAt: now });
    await world.tell(name);
    await until(() => one.host.observe(name).state === "quarantined");
    await until(() => other.host.observe(name).state === "quarantined");
    expect([one.runtimes.last().stopped, other.runtimes.last().stopped]).toEqual(["disable", "disable"]);
    expect(await world.row()).toMatchObject({
      ...{ isEnabled: false, quarantineReason: "The package is signed with a key that was revoked" },
    });
    expect(await types()).toEqual(["signature_failed critical"]);
  });

  test("goes on while keys change that have nothing to do with it", async () => {
    await world.install();
    const { host, runtimes } = await running();
    const { publicKey, keyId } = generateKey();
    await database.db.insert(pluginKeys).values({
      ...{ keyId, publicKey, label: "Others", tier: "verified", names: ["*"], createdAt: world.clock.now() },
    });
    await host.converge([name]);
    expect({ state: host.observe(name).state, runs: runtimes.runs.length }).toEqual({
      state: "running",
      runs: 1,
    });
  });
});
