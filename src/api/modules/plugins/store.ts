import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { plugins, pluginVersions } from "#api/db/schema.ts";

/** The target state of a plugin, as it is stored. */
export type PluginRow = typeof plugins.$inferSelect;
/** The key under which a plugin's values, secrets and files are stored. */
export const dataKeyOf = ({ dataKey, name }: Pick<PluginRow, "dataKey" | "name">): string => dataKey ?? name;

/** One kept version, as it is stored. */
export type VersionRow = typeof pluginVersions.$inferSelect;

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

/** Every plugin with each of its versions, in one snapshot; a plugin without versions is a row of its own. */
export const selectPlugins = (
  db: Database,
): Promise<{ plugins: PluginRow; plugin_versions: VersionRow | null }[]> =>
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
