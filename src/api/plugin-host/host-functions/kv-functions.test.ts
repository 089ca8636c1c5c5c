import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { failureOf } from "#api/testing/failure-of.ts";
import {
  type CallingPlugin,
  createHostFunctionWorld,
  type HostFunctionWorld,
} from "#api/testing/host-function-world.ts";
import { pluginLimits } from "#contract/plugins.ts";

let world: HostFunctionWorld;
let notes: CallingPlugin;
let others: CallingPlugin;

beforeAll(async () => {
  world = await createHostFunctionWorld();
  notes = world.plugin("notes", [{ name: "storage.kv" }]);
  others = world.plugin("others", [{ name: "storage.kv" }]);
});
afterAll(() => world.close());

describe("values by key", () => {
  test("come back as they were set, whatever JSON they are", async () => {
    const values = [null, true, 0, -1.5, "", "\u0000 \ud800 é", [1, [2]], { __proto__x: 1, "": [] }];
    for (const value of values) {
      await notes.call("kv.set", "any", value);
      expect(await notes.call("kv.get", "any")).toEqual(value);
    }
    expect(await notes.call("kv.get", "nothing")).toBeUndefined();
  });

  test("belong to one plugin alone", async () => {
    const strangers = world.plugin("strangers", [{ name: "storage.kv" }]);
    await notes.call("kv.set", "mine", "secret");
    expect(await strangers.call("kv.get", "mine")).toBeUndefined();
    expect(await strangers.call("kv.list")).toEqual({ keys: [], cursor: null });
    expect(await strangers.call("kv.delete", "mine")).toBe(false);
    expect(await notes.call("kv.get", "mine")).toBe("secret");
  });

  test("are gone when their time is over, and count as nothing then", async () => {
    await notes.call("kv.set", "brief", 1, { ttlMs: 1_000 });
    world.ctx.clock.advance(1_001);
    expect(await notes.call("kv.get", "brief")).toBeUndefined();
    expect(await notes.call("kv.list", "brief")).toEqual({ keys: [], cursor: null });
    expect(await notes.call("kv.delete", "brief")).toBe(false);
    await notes.call("kv.set", "brief", 1, { ttlMs: 1_000 });
    world.ctx.clock.advance(1_001);
    expect(await notes.call("kv.set", "brief", 2, { ifVersion: 0 })).toMatchObject({});
    expect(await notes.call("kv.get", "brief")).toBe(2);
  });

  test("are replaced only at the version that was read, when that is asked for", async () => {
    await notes.call("kv.set", "cas", "a", { ifVersion: 0 });
    expect(await failureOf(notes.call("kv.set", "cas", "b", { ifVersion: 0 }))).toMatchObject({
      name: "CONFLICT",
    });
    const entry = Object(await notes.call("kv.entry", "cas"));
    expect(entry.value).toBe("a");
    await notes.call("kv.set", "cas", "c", { ifVersion: entry.version });
    expect(await failureOf(notes.call("kv.set", "cas", "d", { ifVersion: entry.version }))).toMatchObject({
      name: "CONFLICT",
    });
    expect(await notes.call("kv.get", "cas")).toBe("c");
  });

  test("of fifty concurrent replacements of one version, one succeeds", async () => {
    await notes.call("kv.set", "race", 0);
    const { version } = Object(await notes.call("kv.entry", "race"));
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => notes.call("kv.set", "race", at, { ifVersion: version })),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("are counted exactly by a hundred concurrent calls", async () => {
    const sums = await Promise.all(Array.from({ length: 100 }, () => notes.call("kv.incr", "count", 2)));
    expect(new Set(sums).size).toBe(100);
    expect(await notes.call("kv.get", "count")).toBe(200);
    await notes.call("kv.set", "word", "a");
    expect(await failureOf(notes.call("kv.incr", "word"))).toMatchObject({ name: "INVALID" });
    expect(await notes.call("kv.incr", "fresh", -1.5)).toBe(-1.5);
  });

  test("are listed page by page in the order of their keys", async () => {
    for (const key of ["p/c", "p/a", "p/B", "p/%", "q"]) await others.call("kv.set", key, 1);
    const first = Object(await others.call("kv.list", "p/", { limit: 3 }));
    expect(first.keys).toEqual(["p/%", "p/B", "p/a"]);
    expect(await others.call("kv.list", "p/", { limit: 3, cursor: first.cursor })).toEqual({
      keys: ["p/c"],
      cursor: null,
    });
  });

  test("are refused when they are too large or under keys that are none", async () => {
    const large = "x".repeat(pluginLimits.kvValueBytes);
    expect(await failureOf(notes.call("kv.set", "large", large))).toMatchObject({ name: "LIMIT_EXCEEDED" });
    for (const key of ["", "a\0", "\ud800", "k".repeat(201), 5, null, {}])
      expect(await failureOf(notes.call("kv.set", key, 1))).toMatchObject({ name: "INVALID" });
    expect(await failureOf(notes.call("kv.set", "a", 1, { ttl: 5 }))).toMatchObject({ name: "INVALID" });
    expect(await failureOf(notes.call("kv.set", "a", 1, { ttlMs: 0 }))).toMatchObject({ name: "INVALID" });
  });

  test("are no more than ten thousand, of which expired ones do not count", async () => {
    const full = world.plugin("full", [{ name: "storage.kv" }]);
    const expiresAt = new Date(world.ctx.clock.now().getTime() + 1_000).toISOString();
    await world.ctx.db.execute(sql`
      insert into plugin_kv (plugin, key, value, version, expires_at)
      select 'full', 'k' || n, '1', 1, case when n = 1 then ${expiresAt}::timestamptz end
      from generate_series(1, ${pluginLimits.kvKeys}) n`);
    expect(await failureOf(full.call("kv.set", "one more", 1))).toMatchObject({ name: "LIMIT_EXCEEDED" });
    expect(await failureOf(full.call("kv.incr", "one more"))).toMatchObject({ name: "LIMIT_EXCEEDED" });
    expect(await full.call("kv.get", "one more")).toBeUndefined();
    await full.call("kv.set", "k2", 5);
    world.ctx.clock.advance(1_001);
    await full.call("kv.set", "one more", 1);
    expect(await full.call("kv.get", "one more")).toBe(1);
  });
});
