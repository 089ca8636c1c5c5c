import type { Clock } from "#api/core/clock.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import {
  fieldsArgument,
  type HostCall,
  type HostFunction,
  invalid,
  numberArgument,
  PluginFault,
  textArgument,
} from "../../host-functions/host-function.ts";
import type { HostOp } from "../../runtime.ts";

type KvOp = Extract<HostOp, `kv.${string}`>;
type Entry = { json: string; version: number; endsAtMs: number };

/** Values by key in memory, with the rules of the real ones; `values` is what tests look at. */
export const createMemoryKv = (
  clock: Clock,
): {
  functions: Record<KvOp, HostFunction>;
  values: Map<string, Json>;
  put(key: string, value: Json): void;
} => {
  const entries = new Map<string, Entry>();
  const values = new Map<string, Json>();

  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.endsAtMs > clock.now().getTime()) return entry;
    entries.delete(key);
    values.delete(key);
    return undefined;
  };
  const store = (key: string, value: Json, ttlMs: number | undefined): Entry => {
    const json = JSON.stringify(value);
    if (Buffer.byteLength(json) > pluginLimits.kvValueBytes)
      throw new PluginFault("LIMIT_EXCEEDED", `A value has at most ${pluginLimits.kvValueBytes / 1024} KB`);
    const before = find(key);
    if (before === undefined && entries.size >= pluginLimits.kvKeys)
      throw new PluginFault("LIMIT_EXCEEDED", `A plugin keeps at most ${pluginLimits.kvKeys} keys`);
    const endsAtMs = ttlMs === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() + ttlMs;
    const entry = { json, version: (before?.version ?? 0) + 1, endsAtMs };
    entries.set(key, entry);
    values.set(key, JSON.parse(json));
    return entry;
  };

  const run: Record<KvOp, (call: HostCall) => Json | undefined> = {
    "kv.get": ({ args: [key] }) => storedIn(find(keyOf(key))),
    "kv.entry": ({ args: [key] }) => {
      const entry = find(keyOf(key));
      return entry && { value: JSON.parse(entry.json), version: entry.version };
    },
    "kv.set": ({ args: [given, value, rest] }) => {
      const key = keyOf(given);
      if (value === undefined) throw invalid("value has to be JSON");
      const options = fieldsArgument(rest, "options", ["ttlMs", "ifVersion"]);
      const expected = numberArgument(options.ifVersion, "ifVersion", [0, Number.MAX_SAFE_INTEGER]);
      if (expected !== undefined && expected !== (find(key)?.version ?? 0))
        throw new PluginFault("CONFLICT", "The value was changed in the meantime");
      return { version: store(key, value, ttlOf(options.ttlMs)).version };
    },
    "kv.delete": ({ args: [given] }) => {
      const key = keyOf(given);
      const isThere = find(key) !== undefined;
      entries.delete(key);
      values.delete(key);
      return isThere;
    },
    "kv.list": ({ args: [prefix, rest] }) => {
      const { limit, cursor } = fieldsArgument(rest, "options", ["limit", "cursor"]);
      const most = numberArgument(limit, "limit", [1, 1_000]) ?? 100;
      const start = typeof prefix === "string" ? prefix : "";
      const after = typeof cursor === "string" ? cursor : "";
      const found = [...entries.keys()]
        .filter((key) => find(key) !== undefined && key.startsWith(start) && key > after)
        .sort();
      const keys = found.slice(0, most);
      return { keys, cursor: found.length > most ? (keys.at(-1) ?? null) : null };
    },
    "kv.incr": ({ args: [given, added, rest] }) => {
      const by = added ?? 1;
      const key = keyOf(given);
      const { ttlMs } = fieldsArgument(rest, "options", ["ttlMs"]);
      const before = storedIn(find(key)) ?? 0;
      if (typeof by !== "number" || !Number.isFinite(by)) throw invalid("by has to be a number");
      if (typeof before !== "number") throw invalid("The value under this key is no number");
      store(key, before + by, ttlOf(ttlMs));
      return before + by;
    },
  };

  const hosted = (op: KvOp): HostFunction => ({
    permission: "storage.kv",
    run: async (call) => run[op](call),
  });
  const functions = {
    "kv.get": hosted("kv.get"),
    "kv.entry": hosted("kv.entry"),
    "kv.set": hosted("kv.set"),
    "kv.delete": hosted("kv.delete"),
    "kv.list": hosted("kv.list"),
    "kv.incr": hosted("kv.incr"),
  };
  return { functions, values, put: (key, value) => void store(key, value, undefined) };
};

const keyOf = (value: Json | undefined): string => textArgument(value, "key", pluginLimits.kvKeyLength);

const storedIn = (entry: Entry | undefined): Json | undefined => entry && JSON.parse(entry.json);

const ttlOf = (value: Json | undefined): number | undefined =>
  numberArgument(value, "ttlMs", [1, 10 * 365 * 24 * 60 * 60 * 1000]);
