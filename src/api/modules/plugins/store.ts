import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import {
  pluginJobs,
  pluginKeys,
  pluginKv,
  pluginReplicas,
  pluginRules,
  pluginSecrets,
  plugins,
  pluginUses,
  pluginVersions,
} from "#api/db/schema.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type { TrustedKey } from "#contract/plugins.ts";

/** The target state of a plugin, as it is stored. */
export type PluginRow = typeof plugins.$inferSelect;
/** The key under which a plugin's values, secrets and files are stored. */
export const dataKeyOf = ({ dataKey, name }: Pick<PluginRow, "dataKey" | "name">): string => dataKey ?? name;

/** One kept version, as it is stored. */
type VersionRow = typeof pluginVersions.$inferSelect;

/** Prevents other changes of plugins until the transaction ends; they can still be read. */
export const lockPlugins = async (tx: Database): Promise<void> => {
  // A row that doesn't exist yet can't be locked, and dependencies between plugins span several rows.
  await tx.execute(sql`lock table plugins in share row exclusive mode`);
};

/**
 * The number of a new change of plugins, for a transaction that holds {@link lockPlugins}. It is not stored in the
 * plugins' rows: those are deleted with their plugins, and the number must never decrease.
 */
export const nextGeneration = async (tx: Database): Promise<number> => {
  const [row] = await tx.execute<{ generation: number }>(sql`
    insert into installation (key, value)
    values ('plugin_generation', ((select coalesce(max(generation), 0) from plugins) + 1)::text)
    on conflict (key) do update set value = (greatest(installation.value::bigint + 1, excluded.value::bigint))::text
    returning value::float8 as generation`);
  if (row === undefined) throw new Error("the change of plugins got no number");
  return row.generation;
};

/** A kept version with the manifest of its package. */
export type StoredVersion = Omit<VersionRow, "manifest"> & { manifest: Manifest };

/** An installed plugin. */
export type Installed = {
  row: PluginRow;
  /** The active version. */
  current: StoredVersion;
  /** All kept versions, including the active one. */
  versions: StoredVersion[];
};

/** The installed plugins by name, and the rows of removed ones. */
export type Catalogue = {
  installed: ReadonlyMap<string, Installed>;
  removed: ReadonlyMap<string, PluginRow>;
};

/** Reads all plugins in one snapshot. */
export const readCatalogue = async (db: Database): Promise<Catalogue> => {
  const rows = new Map<string, PluginRow>();
  const versions = new Map<string, StoredVersion[]>();
  for (const { plugins: row, plugin_versions: version } of await selectPlugins(db)) {
    rows.set(row.name, row);
    if (version === null) continue;
    const stored = { ...version, manifest: readStoredManifest(version.manifest) };
    versions.set(row.name, [...(versions.get(row.name) ?? []), stored]);
  }
  const installed = new Map<string, Installed>();
  const removed = new Map<string, PluginRow>();
  for (const [name, row] of rows) {
    if (row.removedAt !== null) {
      removed.set(name, row);
      continue;
    }
    const kept = versions.get(name) ?? [];
    const current = kept.find(({ version }) => version === row.version);
    if (current === undefined) throw new Error(`the active version of ${name} is not stored`);
    installed.set(name, { row, current, versions: kept });
  }
  return { installed, removed };
};

/** The installed plugin of that name. Throws `PLUGIN_NOT_FOUND`. */
export const getInstalled = ({ installed }: Catalogue, name: string): Installed => {
  const found = installed.get(name);
  if (found === undefined) throw new AppError("PLUGIN_NOT_FOUND");
  return found;
};

/**
 * A manifest as {@link storedManifest} wrote it: it was checked before it was stored, and nothing else writes there.
 * Fields that older versions did not know get their defaults.
 */
const readStoredManifest = (text: string): Manifest => ({ commands: null, ...JSON.parse(text) }) as Manifest;

/** A manifest as it is stored. */
export const storedManifest = (manifest: Manifest): string => JSON.stringify(manifest);

/** Every plugin with each of its versions, in one snapshot; a plugin without versions is a row of its own. */
const selectPlugins = (db: Database): Promise<{ plugins: PluginRow; plugin_versions: VersionRow | null }[]> =>
  db
    .select()
    .from(plugins)
    .leftJoin(pluginVersions, eq(pluginVersions.plugin, plugins.name))
    .orderBy(asc(plugins.name));

/** Stores a plugin, replacing its row. */
export const writePlugin = async (tx: Database, row: typeof plugins.$inferInsert): Promise<void> => {
  await tx.insert(plugins).values(row).onConflictDoUpdate({ target: plugins.name, set: row });
};

/** Changes the given fields of a plugin. */
export const updatePlugin = async (
  tx: Database,
  name: string,
  change: Partial<Omit<PluginRow, "name">>,
): Promise<void> => {
  await tx.update(plugins).set(change).where(eq(plugins.name, name));
};

/** What is left in the row of a plugin that is part of Atrium after it was deleted with its data. */
export const emptied = {
  ...{ migratedVersion: null, granted: [], consentedSha256: null, publisherKeyId: null },
  ...{ settings: {}, dataKey: null },
} satisfies Partial<PluginRow>;

/** Deletes a plugin's row; its stored data is deleted by cascade. */
export const deletePlugin = async (tx: Database, name: string): Promise<void> => {
  await tx.delete(plugins).where(eq(plugins.name, name));
};

/** Stores a version, replacing the one with that number. */
export const writeVersion = async (tx: Database, row: typeof pluginVersions.$inferInsert): Promise<void> => {
  await tx
    .insert(pluginVersions)
    .values(row)
    .onConflictDoUpdate({ target: [pluginVersions.plugin, pluginVersions.version], set: row });
};

/** Records that a version was activated, and the state of its signature. */
export const markActivated = async (
  tx: Database,
  { plugin, version, signature, now }: Pick<VersionRow, "plugin" | "version" | "signature"> & { now: Date },
): Promise<void> => {
  await tx
    .update(pluginVersions)
    .set({ activatedAt: now, signature })
    .where(and(eq(pluginVersions.plugin, plugin), eq(pluginVersions.version, version)));
};

/** Records the current state of a version's signature, if it is still the same package. */
export const updateSignature = async (
  db: Database,
  { plugin, version, sha256, signature }: Pick<VersionRow, "plugin" | "version" | "sha256" | "signature">,
): Promise<void> => {
  await db
    .update(pluginVersions)
    .set({ signature })
    .where(
      and(
        eq(pluginVersions.plugin, plugin),
        eq(pluginVersions.version, version),
        eq(pluginVersions.sha256, sha256),
      ),
    );
};

/** Records the now known key that signed an unsigned plugin, if someone consented to exactly these bytes. */
export const adoptPublisher = async (
  db: Database,
  { plugin, sha256, signature }: Pick<VersionRow, "plugin" | "sha256" | "signature">,
): Promise<void> => {
  await db
    .update(plugins)
    .set({ publisherKeyId: signature.keyId })
    .where(
      and(
        ...[eq(plugins.name, plugin), eq(plugins.consentedSha256, sha256)],
        ...[eq(plugins.isBundled, false), isNull(plugins.publisherKeyId), isNull(plugins.removedAt)],
      ),
    );
};

/** Deletes versions of a plugin. */
export const deleteVersions = async (tx: Database, plugin: string, versions: string[]): Promise<void> => {
  if (versions.length === 0) return;
  await tx
    .delete(pluginVersions)
    .where(and(eq(pluginVersions.plugin, plugin), inArray(pluginVersions.version, versions)));
};

/** Counts of what a plugin has in the database. */
export const countData = async (
  db: Database,
  { dataKey, now }: { dataKey: string; now: Date },
): Promise<{ keys: number; keyBytes: number; secrets: number }> => {
  const alive = sql`(expires_at is null or expires_at > ${now.toISOString()}::timestamptz)`;
  const [row] = await db.execute<{ keys: number; keyBytes: number; secrets: number }>(sql`
    select
      (select count(*) from plugin_kv where plugin = ${dataKey} and ${alive})::int as keys,
      (select coalesce(sum(octet_length(key) + octet_length(value)), 0)
        from plugin_kv where plugin = ${dataKey} and ${alive})::float8 as "keyBytes",
      (select count(*) from plugin_secrets where plugin = ${dataKey})::int as secrets`);
  if (row === undefined) throw new Error("counting gave no row");
  return row;
};

/** Removes what servers store about an installed plugin; its data and the usage of its permissions stay. */
export const deleteTraces = async (tx: Database, plugin: string): Promise<void> => {
  await tx.delete(pluginReplicas).where(eq(pluginReplicas.plugin, plugin));
  await tx.delete(pluginJobs).where(eq(pluginJobs.plugin, plugin));
  await tx.delete(pluginRules).where(eq(pluginRules.plugin, plugin));
};

/** Removes what a plugin stored in the database. */
export const deleteData = async (tx: Database, dataKey: string): Promise<void> => {
  await tx.delete(pluginKv).where(eq(pluginKv.plugin, dataKey));
  await tx.delete(pluginSecrets).where(eq(pluginSecrets.plugin, dataKey));
};

/** Deletes how often a plugin used its permissions. */
export const deleteUses = async (tx: Database, plugin: string): Promise<void> => {
  await tx.delete(pluginUses).where(eq(pluginUses.plugin, plugin));
};

/** How often each permission was used and refused. */
export const selectUses = (db: Database, plugin: string): Promise<(typeof pluginUses.$inferSelect)[]> =>
  db.select().from(pluginUses).where(eq(pluginUses.plugin, plugin));

/** The state of the plugin on each running server. */
export const selectReplicas = (
  db: Database,
  plugin: string,
): Promise<(typeof pluginReplicas.$inferSelect)[]> =>
  db
    .select()
    .from(pluginReplicas)
    .where(eq(pluginReplicas.plugin, plugin))
    .orderBy(asc(pluginReplicas.replica));

/** The plugin's jobs and their last runs. */
export const selectJobs = (db: Database, plugin: string): Promise<(typeof pluginJobs.$inferSelect)[]> =>
  db.select().from(pluginJobs).where(eq(pluginJobs.plugin, plugin)).orderBy(asc(pluginJobs.job));

/** Names of the secret fields that are set. */
export const selectSecretFields = async (db: Database, plugin: string): Promise<Set<string>> => {
  const rows = await db
    .select({ id: pluginSecrets.id })
    .from(pluginSecrets)
    .where(eq(pluginSecrets.plugin, plugin));
  return new Set(rows.map(({ id }) => id.slice(plugin.length + 1)));
};

/** A sealed secret, or `null`. */
const selectSecret = async (db: Database, id: string): Promise<Uint8Array | null> => {
  const [row] = await db
    .select({ sealed: pluginSecrets.sealed })
    .from(pluginSecrets)
    .where(eq(pluginSecrets.id, id));
  return row?.sealed ?? null;
};

/** Stores a sealed secret; `null` removes it. */
export const writeSecret = async (
  tx: Database,
  { id, plugin, sealed, now }: { id: string; plugin: string; sealed: Uint8Array | null; now: Date },
): Promise<void> => {
  if (sealed === null) {
    await tx.delete(pluginSecrets).where(eq(pluginSecrets.id, id));
    return;
  }
  const row = { sealed, updatedAt: now };
  await tx
    .insert(pluginSecrets)
    .values({ id, plugin, ...row })
    .onConflictDoUpdate({ target: pluginSecrets.id, set: row });
};

const purpose = "plugin-settings";
const placeOf = (id: string): string => `plugin_secrets:sealed:${id}`;

/** How the secrets of plugins are sealed, for sealing them again with another key. */
export const pluginSecretSealing = { purpose, placeOf };

/** The row of a plugin's secret field. */
export const secretId = (dataKey: string, field: string): string => `${dataKey}/${field}`;

/** A secret as it is stored. */
export const sealPluginSecret = (
  { secrets }: Pick<Context, "secrets">,
  id: string,
  value: string,
): Uint8Array => secrets.seal(purpose, placeOf(id), new TextEncoder().encode(value));

/** A plugin's decrypted secret, or `null` if it is not set. Throws `INTERNAL` if it can't be opened. */
export const readPluginSecret = async (
  { db, secrets }: Pick<Context, "db" | "secrets">,
  dataKey: string,
  field: string,
): Promise<string | null> => {
  const id = secretId(dataKey, field);
  const sealed = await selectSecret(db, id);
  return sealed === null ? null : new TextDecoder().decode(secrets.open(purpose, placeOf(id), sealed));
};

/** A publisher's key, as it is stored. */
export type KeyRow = typeof pluginKeys.$inferSelect;

/** The keys that admins trust or trusted, in the order in which they were added. */
export const selectKeys = (db: Database): Promise<KeyRow[]> =>
  db.select().from(pluginKeys).orderBy(asc(pluginKeys.createdAt), asc(pluginKeys.keyId));

/** Stores a key; `false` if it already exists. */
export const insertKey = async (tx: Database, row: KeyRow): Promise<boolean> =>
  (await tx.insert(pluginKeys).values(row).onConflictDoNothing().returning()).length > 0;

/** The key, locked until the transaction ends, or `null`. */
export const holdKey = async (tx: Database, keyId: string): Promise<KeyRow | null> => {
  const [row] = await tx.select().from(pluginKeys).where(eq(pluginKeys.keyId, keyId)).for("update");
  return row ?? null;
};

/** Changes the given fields of a key. */
export const updateKey = async (
  tx: Database,
  keyId: string,
  change: Partial<Omit<KeyRow, "keyId" | "publicKey">>,
): Promise<void> => {
  await tx.update(pluginKeys).set(change).where(eq(pluginKeys.keyId, keyId));
};

/** A key as it is shown. */
export const toTrustedKey = (row: KeyRow): TrustedKey => ({
  ...row,
  notBefore: row.notBefore?.toISOString() ?? null,
  notAfter: row.notAfter?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  source: "store",
  createdAt: row.createdAt.toISOString(),
});
