import { sql } from "drizzle-orm";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { HostOp } from "../runtime.ts";
import {
  fieldsArgument,
  type HostCall,
  type HostFunction,
  invalid,
  numberArgument,
  PluginFault,
  textArgument,
} from "./host-function.ts";

type KvOp = Extract<HostOp, `kv.${string}`>;

const yearMs = 365 * 24 * 60 * 60 * 1000;
/** Length of a number as text. */
const mostNumberBytes = 25;
const pageKeys = 100;
const mostPageKeys = 1_000;

/** Where values are kept, as JSON in text; one that has expired counts as none. */
export type KvStore = {
  /** The value under a key, or `null`. */
  find(place: Place): Promise<KvRow | null>;
  /** Stores a value; `null` if `ifVersion` (0: no value) doesn't match. Throws `LIMIT_EXCEEDED` for one key too many. */
  write(
    input: Place & { value: string; expiresAt: Date | null; ifVersion: number | undefined },
  ): Promise<{ version: number } | null>;
  /** Adds to a number and resolves to the sum; a missing value counts as 0. Throws `INVALID` for another value, and as `write`. */
  add(input: Place & { by: number; expiresAt: Date | null }): Promise<number>;
  /** Removes a key; resolves to whether it had a value. */
  delete(place: Place): Promise<boolean>;
  /** Keys that begin with `prefix` and come after `after`, in byte order. */
  keys(input: Omit<Place, "key"> & { prefix: string; after: string | null; most: number }): Promise<string[]>;
};

/** Values by key. A value that a plugin could not read back is refused before it is stored. */
export const createKvFunctions = ({
  store,
  clock,
  keepWithin,
}: Pick<Services, "clock"> & { store: KvStore; keepWithin: KeepWithin }): Record<KvOp, HostFunction> => {
  const placeOf = ({ plugin, args: [key] }: HostCall) => ({
    plugin: plugin.dataKey,
    key: keyOf(key),
    now: clock.now(),
  });
  const expiryOf = (ttlMs: Json | undefined): Date | null => {
    const ttl = numberArgument(ttlMs, "ttlMs", [1, 10 * yearMs]);
    return ttl === undefined ? null : new Date(clock.now().getTime() + ttl);
  };

  const functions: Record<KvOp, (call: HostCall) => Promise<Json | undefined>> = {
    "kv.get": async (call) => {
      const row = await store.find(placeOf(call));
      return row === null ? undefined : parsed(row.value);
    },
    "kv.entry": async (call) => {
      const row = await store.find(placeOf(call));
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
        store.write({ ...place, value, expiresAt, ifVersion }),
      );
      if (written === null) throw new PluginFault("CONFLICT", "The value has changed in the meantime");
      return { version: written.version };
    },
    "kv.delete": (call) => store.delete(placeOf(call)),
    "kv.list": async ({ plugin, args }) => {
      const [given, rest] = args;
      const prefix = given === undefined || given === null || given === "" ? "" : keyOf(given);
      const { limit, cursor } = fieldsArgument(rest, "options", ["limit", "cursor"]);
      const most = numberArgument(limit, "limit", [1, mostPageKeys]) ?? pageKeys;
      const after = cursor === undefined || cursor === null ? null : keyOf(cursor);
      const found = await store.keys({
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
      return keepWithin({ ...place, bytes }, () => store.add({ ...place, by, expiresAt }));
    },
  };
  return Object.fromEntries(
    Object.entries(functions).map(([op, run]) => [op, { permission: "storage.kv", run }]),
  ) as Record<KvOp, HostFunction>;
};

const keyOf = (value: Json | undefined): string => textArgument(value, "key", pluginLimits.kvKeyLength);

/** A value as it is stored. Throws `INVALID` for none, `LIMIT_EXCEEDED` for one that is too large. */
export const valueText = (value: Json | undefined): string => {
  if (value === undefined) throw invalid("value has to be JSON");
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > pluginLimits.kvValueBytes)
    throw new PluginFault(
      "LIMIT_EXCEEDED",
      `A value can have at most ${pluginLimits.kvValueBytes / 1024} KB`,
    );
  return text;
};

const parsed = (text: string): Json => JSON.parse(text);

// Source: PostgreSQL's error codes, class 22: the text is not a number, or the sum is out of range.
const asNoNumber = (error: unknown): never => {
  const cause: unknown = Reflect.get(Object(error), "cause");
  const code: unknown = Reflect.get(Object(error), "code") ?? Reflect.get(Object(cause), "code");
  if (typeof code === "string" && code.startsWith("22")) throw notANumber();
  throw error;
};

const tooManyKeys = (): PluginFault =>
  new PluginFault("LIMIT_EXCEEDED", `A plugin can store at most ${pluginLimits.kvKeys} keys`);

const notANumber = (): PluginFault => invalid("The value of this key is not a number");

/** Values in memory, of a plugin in its tests. */
export const createMemoryKv = (): KvStore => {
  const rows = new Map<string, KvRow & { expiresAt: Date | null }>();
  const alive = ({ key, now }: Omit<Place, "plugin">) => {
    const row = rows.get(key);
    if (row === undefined || row.expiresAt === null || row.expiresAt > now) return row;
    rows.delete(key);
    return undefined;
  };
  const store: KvStore = {
    find: async (place) => alive(place) ?? null,
    write: async ({ key, value, expiresAt, ifVersion, now }) => {
      const before = alive({ key, now });
      const version = before?.version ?? 0;
      if (ifVersion !== undefined && ifVersion !== version) return null;
      if (before === undefined && rows.size >= pluginLimits.kvKeys) throw tooManyKeys();
      rows.set(key, { value, version: version + 1, expiresAt });
      return { version: version + 1 };
    },
    add: async ({ by, expiresAt, ...place }) => {
      const before = alive(place);
      const sum = Number(before?.value ?? 0) + by;
      if (!Number.isFinite(sum)) throw notANumber();
      const ends = expiresAt ?? before?.expiresAt ?? null;
      await store.write({ ...place, value: String(sum), expiresAt: ends, ifVersion: undefined });
      return sum;
    },
    delete: async (place) => alive(place) !== undefined && rows.delete(place.key),
    keys: async ({ prefix, after, most, now }) =>
      [...rows.keys()]
        .filter((key) => key.startsWith(prefix) && key > (after ?? "") && alive({ key, now }) !== undefined)
        .sort()
        .slice(0, most),
  };
  return store;
};

/** Values in the database. */
export const createDatabaseKv = ({ db, clock }: Pick<Services, "db" | "clock">): KvStore => {
  /** Runs a write that may add a key; if that is one too many, it is undone. */
  const bounded = <T extends { isNew: boolean } | null>(
    name: string,
    write: (tx: Database) => Promise<T>,
  ): Promise<T> =>
    db.transaction(async (tx) => {
      const written = await write(tx);
      if (written?.isNew !== true || (await countKeys(tx, name)) <= pluginLimits.kvKeys) return written;
      await deleteExpired(tx, clock.now(), name);
      if ((await countKeys(tx, name)) <= pluginLimits.kvKeys) return written;
      throw tooManyKeys();
    });
  return {
    find: (place) => selectValue(db, place),
    write: (input) => bounded(input.plugin, (tx) => writeValue(tx, input)),
    add: async (input) =>
      Number((await bounded(input.plugin, (tx) => addToValue(tx, input)).catch(asNoNumber)).value),
    delete: (place) => deleteValue(db, place),
    keys: (input) => selectKeys(db, input),
  };
};

/** A stored value; `value` is JSON as text. */
type KvRow = { value: string; version: number };

type Place = { plugin: string; key: string; now: Date };

const isAlive = (now: Date) => sql`(expires_at is null or expires_at > ${now.toISOString()}::timestamptz)`;

/** The value under a key, or `null`. */
const selectValue = async (db: Database, { plugin, key, now }: Place): Promise<KvRow | null> => {
  const [row] = await db.execute<KvRow>(sql`
    select value, version::float8 as version from plugin_kv
    where plugin = ${plugin} and key = ${key} and ${isAlive(now)}`);
  return row ?? null;
};

/**
 * Stores a value and returns its version and whether the key is new; `null` if `ifVersion` (0: no value) doesn't match.
 * An expired value counts as none.
 */
const writeValue = async (
  db: Database,
  input: Place & { value: string; expiresAt: Date | null; ifVersion: number | undefined },
): Promise<{ version: number; isNew: boolean } | null> => {
  const { plugin, key, now, value, ifVersion } = input;
  const expiresAt = input.expiresAt?.toISOString() ?? null;
  if (ifVersion !== undefined && ifVersion > 0) {
    const [row] = await db.execute<{ version: number }>(sql`
      update plugin_kv set value = ${value}, version = version + 1, expires_at = ${expiresAt}::timestamptz
      where plugin = ${plugin} and key = ${key} and version = ${ifVersion} and ${isAlive(now)}
      returning version::float8 as version`);
    return row ? { version: row.version, isNew: false } : null;
  }
  const mayReplace = ifVersion === undefined ? sql`true` : sql`not ${aliveRow(now)}`;
  const [row] = await db.execute<{ version: number; isNew: boolean }>(sql`
    insert into plugin_kv (plugin, key, value, version, expires_at)
    values (${plugin}, ${key}, ${value}, 1, ${expiresAt}::timestamptz)
    on conflict (plugin, key) do update
      set value = excluded.value, version = plugin_kv.version + 1, expires_at = excluded.expires_at
      where ${mayReplace}
    returning version::float8 as version, (xmax = 0) as "isNew"`);
  return row ?? null;
};

const aliveRow = (now: Date) =>
  sql`(plugin_kv.expires_at is null or plugin_kv.expires_at > ${now.toISOString()}::timestamptz)`;

/** Adds to a number; a missing or expired value counts as 0. Throws the database's error if it is not a number. */
const addToValue = async (
  db: Database,
  { plugin, key, now, by, expiresAt }: Place & { by: number; expiresAt: Date | null },
): Promise<{ value: string; isNew: boolean }> => {
  const expiry = expiresAt?.toISOString() ?? null;
  const [row] = await db.execute<{ value: string; isNew: boolean }>(sql`
    insert into plugin_kv (plugin, key, value, version, expires_at)
    values (${plugin}, ${key}, (${by}::float8)::text, 1, ${expiry}::timestamptz)
    on conflict (plugin, key) do update set
      value = case when ${aliveRow(now)}
        then (plugin_kv.value::float8 + ${by}::float8)::text else excluded.value end,
      expires_at = case when ${aliveRow(now)} and excluded.expires_at is null
        then plugin_kv.expires_at else excluded.expires_at end,
      version = plugin_kv.version + 1
    returning value, (xmax = 0) as "isNew"`);
  if (row === undefined) throw new Error("adding gave no row");
  return row;
};

/** Removes a key; returns whether it had a value. */
const deleteValue = async (db: Database, { plugin, key, now }: Place): Promise<boolean> => {
  const [row] = await db.execute<{ wasAlive: boolean }>(sql`
    delete from plugin_kv where plugin = ${plugin} and key = ${key} returning ${isAlive(now)} as "wasAlive"`);
  return row?.wasAlive === true;
};

/** Keys that begin with `prefix` and come after `after`, in byte order. */
const selectKeys = async (
  db: Database,
  input: { plugin: string; prefix: string; after: string | null; most: number; now: Date },
): Promise<string[]> => {
  const rows = await db.execute<{ key: string }>(sql`
    select key from plugin_kv
    where plugin = ${input.plugin} and starts_with(key, ${input.prefix}) and ${isAlive(input.now)}
      and (${input.after}::text is null or key collate "C" > ${input.after}::text collate "C")
    order by key collate "C" limit ${input.most}`);
  return rows.map(({ key }) => key);
};

/** Removes expired values, of one plugin or of all. */
const deleteExpired = async (db: Database, now: Date, plugin: string | null): Promise<void> => {
  await db.execute(sql`
    delete from plugin_kv where expires_at <= ${now.toISOString()}::timestamptz
      and (${plugin}::text is null or plugin = ${plugin})`);
};

/** How many keys a plugin has. */
const countKeys = async (db: Database, plugin: string): Promise<number> => {
  const [row] = await db.execute<{ keys: number }>(
    sql`select count(*)::int as keys from plugin_kv where plugin = ${plugin}`,
  );
  return row?.keys ?? 0;
};

/** A value of a key, or a file of a path, that replaces the existing one; `plugin` is the key of its data. */
type Storing = { plugin: string; bytes: number } & ({ key: string } | { path: string });

/**
 * Writes to a plugin's storage if it fits. Rejects with `LIMIT_EXCEEDED` if its quota is used up, and with what `write`
 * throws.
 */
export type KeepWithin = <T>(storing: Storing, write: () => Promise<T>) => Promise<T>;

type DataQuotaOptions = Pick<Services, "db" | "clock" | "objects"> & { quotaBytes: number };

/** Other servers write, too: a plugin's usage is read again after this long. */
const knownMs = 10_000;

/** `written` counts all bytes since the start, `underWay` those of running writes. */
type Kept = { known: { bytes: number; atMs: number } | null; written: number; underWay: number };

/**
 * Tracks usage from what is stored; near the quota it is read each time. Each write on this server sees those before
 * it, stored or not, so that concurrent writes don't exceed the quota together.
 */
export const createDataQuota = ({ db, clock, objects, quotaBytes }: DataQuotaOptions): KeepWithin => {
  const plugins = new Map<string, Kept>();

  /** The plugin's usage without what is replaced. */
  const measure = async ({ plugin, ...place }: Storing): Promise<number> => {
    const key = "key" in place ? place.key : null;
    const path = "path" in place ? `${pluginFilesPrefix(plugin)}${place.path}` : null;
    const [values, files] = await Promise.all([
      sumBytes(db, { plugin, except: key, now: clock.now() }),
      objects.list(pluginFilesPrefix(plugin)),
    ]);
    return files.reduce((sum, file) => sum + (file.key === path ? 0 : file.sizeBytes), values);
  };

  /** The plugin's usage, with all writes that began before this one. */
  const bytesBefore = async (kept: Kept, storing: Storing): Promise<number> => {
    const nowMs = clock.uptimeMs();
    const { known } = kept;
    if (known !== null && nowMs - known.atMs < knownMs && known.bytes + storing.bytes <= quotaBytes)
      return known.bytes;
    const { underWay, written } = kept;
    const before = underWay + (await measure(storing));
    kept.known = { bytes: before + kept.written - written, atMs: nowMs };
    return before;
  };

  return async (storing, write) => {
    const { plugin, bytes } = storing;
    const kept = plugins.get(plugin) ?? { known: null, written: 0, underWay: 0 };
    plugins.set(plugin, kept);
    const before = bytesBefore(kept, storing);
    // Counted in the same step, so that the next call sees it.
    kept.underWay += bytes;
    kept.written += bytes;
    if (kept.known !== null) kept.known.bytes += bytes;
    try {
      const keptBytes = await before;
      if (keptBytes + bytes > quotaBytes)
        throw new PluginFault(
          "LIMIT_EXCEEDED",
          `The plugin keeps ${inMB(keptBytes)} of at most ${inMB(quotaBytes)} MB; ${bytes} more bytes don't fit`,
        );
      return await write();
    } catch (error) {
      if (kept.known !== null) kept.known.bytes -= bytes;
      throw error;
    } finally {
      kept.underWay -= bytes;
    }
  };
};

/** Bytes of a plugin's keys and values, without those of the key `except`. */
const sumBytes = async (
  db: Database,
  { plugin, except, now }: { plugin: string; except: string | null; now: Date },
): Promise<number> => {
  const [row] = await db.execute<{ bytes: number }>(sql`
    select coalesce(sum(octet_length(key) + octet_length(value)), 0)::float8 as bytes from plugin_kv
    where plugin = ${plugin} and key is distinct from ${except} and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz)`);
  return row?.bytes ?? 0;
};

const inMB = (bytes: number): string => (bytes / 1_000_000).toFixed(1).replace(".0", "");

/** Prefix of a plugin's files in the object store. */
export const pluginFilesPrefix = (dataKey: string): string => `plugin-files/${dataKey}/`;
