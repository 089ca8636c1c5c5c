import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { HostOp } from "../runtime.ts";
import type { KeepWithin } from "./data-quota.ts";
import type { HostCall, HostFunction } from "./hosted-plugin.ts";
import {
  addToValue,
  countKeys,
  deleteExpired,
  deleteValue,
  selectKeys,
  selectValue,
  writeValue,
} from "./kv-store.ts";
import { invalid, PluginFault } from "./plugin-fault.ts";
import { fieldsArgument, numberArgument, textArgument } from "./read-argument.ts";

type KvOp = Extract<HostOp, `kv.${string}`>;

const yearMs = 365 * 24 * 60 * 60 * 1000;
/** Of a number as text. */
const mostNumberBytes = 25;
const pageKeys = 100;
const mostPageKeys = 1_000;

/** Values by key. One that a plugin could not read back is refused before it is stored. */
export const createKvFunctions = ({
  db,
  clock,
  keepWithin,
}: Pick<Services, "db" | "clock"> & { keepWithin: KeepWithin }): Record<KvOp, HostFunction> => {
  const placeOf = ({ plugin, args: [key] }: HostCall) => ({
    plugin: plugin.dataKey,
    key: keyOf(key),
    now: clock.now(),
  });
  const expiryOf = (ttlMs: Json | undefined): Date | null => {
    const ttl = numberArgument(ttlMs, "ttlMs", [1, 10 * yearMs]);
    return ttl === undefined ? null : new Date(clock.now().getTime() + ttl);
  };

  /** Runs a write that may add a key; with one too many it is undone. */
  const bounded = <T extends { isNew: boolean } | null>(
    name: string,
    write: (tx: Database) => Promise<T>,
  ): Promise<T> =>
    db.transaction(async (tx) => {
      const written = await write(tx);
      if (written?.isNew !== true || (await countKeys(tx, name)) <= pluginLimits.kvKeys) return written;
      await deleteExpired(tx, clock.now(), name);
      if ((await countKeys(tx, name)) <= pluginLimits.kvKeys) return written;
      throw new PluginFault("LIMIT_EXCEEDED", `A plugin keeps at most ${pluginLimits.kvKeys} keys`);
    });

  const find = (call: HostCall) => selectValue(db, placeOf(call));

  const functions: Record<KvOp, (call: HostCall) => Promise<Json | undefined>> = {
    "kv.get": async (call) => {
      const row = await find(call);
      return row === null ? undefined : parsed(row.value);
    },
    "kv.entry": async (call) => {
      const row = await find(call);
      return row === null ? undefined : { value: parsed(row.value), version: row.version };
    },
    "kv.set": async (call) => {
      const place = placeOf(call);
      const options = fieldsArgument(call.args[2], "options", ["ttlMs", "ifVersion"]);
      const ifVersion = numberArgument(options.ifVersion, "ifVersion", [0, Number.MAX_SAFE_INTEGER]);
      const value = valueText(call.args[1]);
      const expiresAt = expiryOf(options.ttlMs);
      const bytes = Buffer.byteLength(place.key) + Buffer.byteLength(value);
      const written = await keepWithin({ ...place, bytes }, () =>
        bounded(place.plugin, (tx) => writeValue(tx, { ...place, value, expiresAt, ifVersion })),
      );
      if (written === null) throw new PluginFault("CONFLICT", "The value was changed in the meantime");
      return { version: written.version };
    },
    "kv.delete": (call) => deleteValue(db, placeOf(call)),
    "kv.list": async ({ plugin, args }) => {
      const [given, rest] = args;
      const prefix = given === undefined || given === null || given === "" ? "" : keyOf(given);
      const { limit, cursor } = fieldsArgument(rest, "options", ["limit", "cursor"]);
      const most = numberArgument(limit, "limit", [1, mostPageKeys]) ?? pageKeys;
      const after = cursor === undefined || cursor === null ? null : keyOf(cursor);
      const found = await selectKeys(db, {
        plugin: plugin.dataKey,
        prefix,
        after,
        most: most + 1,
        now: clock.now(),
      });
      const keys = found.slice(0, most);
      return { keys, cursor: found.length > most ? (keys.at(-1) ?? null) : null };
    },
    "kv.incr": async (call) => {
      const place = placeOf(call);
      const options = fieldsArgument(call.args[2], "options", ["ttlMs"]);
      const by = call.args[1] ?? 1;
      if (typeof by !== "number" || !Number.isFinite(by)) throw invalid("by has to be a number");
      const expiresAt = expiryOf(options.ttlMs);
      const bytes = Buffer.byteLength(place.key) + mostNumberBytes;
      const added = await keepWithin({ ...place, bytes }, () =>
        bounded(place.plugin, (tx) => addToValue(tx, { ...place, by, expiresAt })).catch(asNoNumber),
      );
      return Number(added.value);
    },
  };
  return Object.fromEntries(
    Object.entries(functions).map(([op, run]) => [op, { permission: "storage.kv", run }]),
  ) as Record<KvOp, HostFunction>;
};

const keyOf = (value: Json | undefined): string => textArgument(value, "key", pluginLimits.kvKeyLength);

const valueText = (value: Json | undefined): string => {
  if (value === undefined) throw invalid("value has to be JSON");
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > pluginLimits.kvValueBytes)
    throw new PluginFault("LIMIT_EXCEEDED", `A value has at most ${pluginLimits.kvValueBytes / 1024} KB`);
  return text;
};

const parsed = (text: string): Json => JSON.parse(text);

// Source: PostgreSQL's error codes, class 22: the text is no number, or the sum is out of range.
const asNoNumber = (error: unknown): never => {
  const cause: unknown = Reflect.get(Object(error), "cause");
  const code: unknown = Reflect.get(Object(error), "code") ?? Reflect.get(Object(cause), "code");
  if (typeof code === "string" && code.startsWith("22"))
    throw invalid("The value under this key is no number");
  throw error;
};
