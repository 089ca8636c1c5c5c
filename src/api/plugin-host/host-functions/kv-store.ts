import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";

/** A stored value; `value` is JSON as text. */
export type KvRow = { value: string; version: number };

type Place = { plugin: string; key: string; now: Date };

const isAlive = (now: Date) => sql`(expires_at is null or expires_at > ${now.toISOString()}::timestamptz)`;

/** Bytes of a plugin's keys and values; those of the key `except` are left out. */
export const sumBytes = async (
  db: Database,
  { plugin, except, now }: { plugin: string; except: string | null; now: Date },
): Promise<number> => {
  const [row] = await db.execute<{ bytes: number }>(sql`
    select coalesce(sum(octet_length(key) + octet_length(value)), 0)::float8 as bytes from plugin_kv
    where plugin = ${plugin} and key is distinct from ${except} and ${isAlive(now)}`);
  return row?.bytes ?? 0;
};

/** The value under a key, or `null`. */
export const selectValue = async (db: Database, { plugin, key, now }: Place): Promise<KvRow | null> => {
  const [row] = await db.execute<KvRow>(sql`
    select value, version::float8 as version from plugin_kv
    where plugin = ${plugin} and key = ${key} and ${isAlive(now)}`);
  return row ?? null;
};

/**
 * Stores a value and tells its version and whether the key is new; `null` when `ifVersion` (0: nothing is there) does not
 * hold. What has expired counts as nothing.
 */
export const writeValue = async (
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

/** Adds to a number; what is not there or has expired counts as 0. Throws what the database says of a value that is none. */
export const addToValue = async (
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

/** Removes a key; whether there was something. */
export const deleteValue = async (db: Database, { plugin, key, now }: Place): Promise<boolean> => {
  const [row] = await db.execute<{ wasAlive: boolean }>(sql`
    delete from plugin_kv where plugin = ${plugin} and key = ${key} returning ${isAlive(now)} as "wasAlive"`);
  return row?.wasAlive === true;
};

/** Keys that begin with `prefix` and come behind `after`, in the order of their bytes. */
export const selectKeys = async (
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

/** Removes what has expired, of one plugin or of all. */
export const deleteExpired = async (db: Database, now: Date, plugin: string | null): Promise<void> => {
  await db.execute(sql`
    delete from plugin_kv where expires_at <= ${now.toISOString()}::timestamptz
      and (${plugin}::text is null or plugin = ${plugin})`);
};

/** How many keys a plugin has. */
export const countKeys = async (db: Database, plugin: string): Promise<number> => {
  const [row] = await db.execute<{ keys: number }>(
    sql`select count(*)::int as keys from plugin_kv where plugin = ${plugin}`,
  );
  return row?.keys ?? 0;
};
