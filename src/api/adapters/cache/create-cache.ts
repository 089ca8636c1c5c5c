import type { Clock } from "#api/core/clock.ts";
import type { Cache } from "#api/core/context.ts";
import type { Counter } from "#api/core/metrics.ts";
import { createRecentMap } from "../attempt-guard/memory-attempt-guard.ts";
import { unlessRefused } from "../redis/redis-failure.ts";
import type { RedisLink } from "../redis/redis-link.ts";

type CacheOptions = { clock: Clock; link: RedisLink; mostEntries?: number };

/**
 * Remembers in this process and, where there is one, in Redis for all. Redis is looked at first, so that what one
 * replica forgets is forgotten; while it is away, each process goes by what it remembers itself.
 */
export const createCache = ({ clock, link, mostEntries = 1_000 }: CacheOptions): Cache => {
  const memory = createRecentMap<{ text: string; untilMs: number }>(mostEntries);

  const recall = (key: string): string | null => {
    const known = memory.get(key);
    if (known === undefined || known.untilMs <= clock.uptimeMs()) return null;
    // What is asked for is forgotten last.
    memory.set(key, known);
    return known.text;
  };

  const fetch = async (key: string): Promise<string | null> => {
    if (!link.isUp) return recall(key);
    // Never more than was kept, whatever someone else has put there.
    const text = await link.ask((client) => unlessRefused(client.getrange(nameOf(key), 0, mostBytes)));
    return text ?? recall(key);
  };

  return {
    get: async (key, read) => {
      const text = await fetch(key);
      if (text === null || text === "" || Buffer.byteLength(text) > mostBytes) return null;
      try {
        return read(JSON.parse(text));
      } catch {
        // Whatever stands there, it is not what was kept; the caller finds out again.
        return null;
      }
    },
    set: async (key, value, ttlMs) => {
      const text = JSON.stringify(value);
      if (Buffer.byteLength(text) > mostBytes) return;
      memory.set(key, { text, untilMs: clock.uptimeMs() + ttlMs });
      await link.ask((client) => unlessRefused(client.set(nameOf(key), text, "PX", Math.ceil(ttlMs))));
    },
    delete: async (keys) => {
      for (const key of keys) memory.delete(key);
      if (keys.length > 0) await link.ask((client) => unlessRefused(client.del(...keys.map(nameOf))));
    },
  };
};

const nameOf = (key: string): string => `atrium:cache:${key}`;
const mostBytes = 100_000;

/** The same cache, with each look counted. */
export const countedCache = (cache: Cache, counter: Counter<"hit" | "miss">): Cache => ({
  ...cache,
  get: async (key, read) => {
    const found = await cache.get(key, read);
    counter.count(found === null ? "miss" : "hit");
    return found;
  },
});
