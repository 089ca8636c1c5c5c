import type { Cache } from "#api/core/context.ts";
import type { Tally } from "#api/core/tally.ts";

/** The same cache, with each look counted. */
export const countedCache = (cache: Cache, tally: Tally<"hit" | "miss">): Cache => ({
  ...cache,
  get: async (key, read) => {
    const found = await cache.get(key, read);
    tally.count(found === null ? "miss" : "hit");
    return found;
  },
});
