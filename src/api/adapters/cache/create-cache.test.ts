import { describe, expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { createRedisLink } from "../redis/redis-link.ts";
import { createCache } from "./create-cache.ts";

const newCache = (mostEntries?: number) => {
  const clock = createTestClock();
  const link = createRedisLink({ clock, log: createRecordingLog() });
  return { clock, cache: createCache({ clock, link, ...(mostEntries ? { mostEntries } : {}) }) };
};

const asNumber = (value: unknown) => (typeof value === "number" ? value : null);

describe("without Redis", () => {
  test("what was kept is there until its time is over, or it is deleted", async () => {
    const { clock, cache } = newCache();
    await cache.set("a", 1, 1_000);
    await cache.set("b", 2, 1_000);
    expect(await cache.get("a", asNumber)).toBe(1);
    await cache.delete(["b", "never heard of"]);
    expect(await cache.get("b", asNumber)).toBeNull();
    clock.turn(86_400_000);
    expect(await cache.get("a", asNumber)).toBe(1);
    clock.advance(1_000);
    expect(await cache.get("a", asNumber)).toBeNull();
  });

  test("what is not what was expected is not there", async () => {
    const { cache } = newCache();
    await cache.set("a", "text", 1_000);
    expect(await cache.get("a", asNumber)).toBeNull();
    const refuse = (): null => {
      throw new Error("no");
    };
    expect(await cache.get("a", refuse)).toBeNull();
  });

  test("a change to what was kept or read changes nothing of what is kept", async () => {
    const { cache } = newCache();
    const kept = { list: [1] };
    await cache.set("a", kept, 1_000);
    kept.list.push(2);
    const asList = (value: unknown) => Reflect.get(Object(value), "list");
    (await cache.get("a", asList))?.push(3);
    expect(await cache.get("a", asList)).toEqual([1]);
  });

  test("memory is bounded: what no one asks for goes first, and what is too large is not kept", async () => {
    const { cache } = newCache(10);
    await cache.set("asked for", 0, 60_000);
    for (let n = 0; n < 1_000; n += 1) {
      await cache.set(`key ${n}`, n, 60_000);
      if (n % 3 === 0) expect(await cache.get("asked for", asNumber)).toBe(0);
    }
    expect(await cache.get("key 0", asNumber)).toBeNull();
    expect(await cache.get("key 999", asNumber)).toBe(999);
    await cache.set("large", "x".repeat(1_000_000), 60_000);
    expect(await cache.get("large", (value) => value)).toBeNull();
  });
});
