import type { Json, Kv } from "#plugins/sdk/types.ts";

/** Values in memory, as all servers share them. */
export type FakeKv = Kv & {
  /** How often something was written. */
  readonly writes: number;
  /** While `true`, nothing can be read or written. */
  isAway: boolean;
};

/** Begins empty; values expire by the given clock. */
export const createFakeKv = (now: () => number): FakeKv => {
  const rows = new Map<string, { value: string; version: number; endsAt: number }>();
  let writes = 0;
  let isAway = false;

  const alive = (key: string) => {
    if (isAway) throw new Error("the database is away");
    const row = rows.get(key);
    return row !== undefined && row.endsAt > now() ? row : undefined;
  };
  const write = (key: string, value: Json, ttlMs = Number.POSITIVE_INFINITY): { version: number } => {
    const version = (alive(key)?.version ?? 0) + 1;
    rows.set(key, { value: JSON.stringify(value), version, endsAt: now() + ttlMs });
    writes += 1;
    return { version };
  };

  return {
    get writes() {
      return writes;
    },
    get isAway() {
      return isAway;
    },
    set isAway(value) {
      isAway = value;
    },
    get: async (key) => {
      const row = alive(key);
      return row === undefined ? undefined : JSON.parse(row.value);
    },
    entry: async (key) => {
      const row = alive(key);
      return row === undefined ? undefined : { value: JSON.parse(row.value), version: row.version };
    },
    set: async (key, value, { ttlMs, ifVersion } = {}) => {
      // As between two servers: somebody else may come in between.
      await Promise.resolve();
      if (ifVersion !== undefined && (alive(key)?.version ?? 0) !== ifVersion)
        throw Object.assign(new Error("The value has changed in the meantime"), { name: "CONFLICT" });
      return write(key, value, ttlMs);
    },
    delete: async (key) => rows.delete(key),
    list: async (prefix = "") => ({
      keys: [...rows.keys()].filter((key) => key.startsWith(prefix) && alive(key) !== undefined).sort(),
      cursor: null,
    }),
    incr: async (key, by = 1) => {
      const sum = Number(alive(key)?.value ?? 0) + by;
      write(key, sum);
      return sum;
    },
  };
};
