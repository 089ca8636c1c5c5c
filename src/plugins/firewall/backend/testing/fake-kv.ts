import type { Json, Kv } from "#plugins/sdk/types.ts";

/** Values by key in memory, with the rules of the host's. `fails` makes each call throw what it returns. */
export type FakeKv = Kv & {
  values: Map<string, { json: string; version: number; endsAt: number }>;
  fails: (key: string) => Error | null;
};

/** An error as the host throws it. */
export const fault = (name: string, message = name): Error => Object.assign(new Error(message), { name });

/** Nothing is stored yet; `now` tells what has expired. */
export const createFakeKv = (now: () => number = Date.now): FakeKv => {
  const values: FakeKv["values"] = new Map();
  const find = (key: string) => {
    const error = fake.fails(key);
    if (error !== null) throw error;
    const entry = values.get(key);
    return entry === undefined || entry.endsAt > now() ? entry : undefined;
  };
  const parse = (json: string): Json => {
    try {
      return JSON.parse(json);
    } catch {
      throw fault("FAILED", "Something went wrong");
    }
  };
  const fake: FakeKv = {
    values,
    fails: () => null,
    get: async (key) => {
      const entry = find(key);
      return entry && parse(entry.json);
    },
    entry: async (key) => {
      const entry = find(key);
      return entry && { value: parse(entry.json), version: entry.version };
    },
    set: async (key, value, options = {}) => {
      const before = find(key);
      if (options.ifVersion !== undefined && options.ifVersion !== (before?.version ?? 0))
        throw fault("CONFLICT");
      const json = JSON.stringify(value);
      if (Buffer.byteLength(json) > 65_536) throw fault("LIMIT_EXCEEDED");
      const version = (before?.version ?? 0) + 1;
      values.set(key, { json, version, endsAt: now() + (options.ttlMs ?? Number.POSITIVE_INFINITY) });
      return { version };
    },
    delete: async (key) => {
      const isThere = find(key) !== undefined;
      values.delete(key);
      return isThere;
    },
    list: async (prefix = "", options = {}) => {
      const most = options.limit ?? 100;
      const after = options.cursor ?? "";
      const found = [...values.keys()]
        .filter((key) => key.startsWith(prefix) && key > after && find(key) !== undefined)
        .sort();
      const keys = found.slice(0, most);
      return { keys, cursor: found.length > most ? (keys.at(-1) ?? null) : null };
    },
    incr: async (key, by = 1) => {
      const before = find(key);
      const next = (before === undefined ? 0 : Number(before.json)) + by;
      await fake.set(key, next);
      return next;
    },
  };
  return fake;
};
