import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { plugins, pluginVersions } from "#api/db/schema.ts";

/** What admins want of a plugin, as it is stored. */
export type PluginRow = typeof plugins.$inferSelect;
/** Under which name a plugin's values, secrets and files are stored. */
export const dataKeyOf = ({ dataKey, name }: Pick<PluginRow, "dataKey" | "name">): string => dataKey ?? name;

/** One kept version, as it is stored. */
export type VersionRow = typeof pluginVersions.$inferSelect;

/** Keeps others from changing plugins until the transaction ends; they can be read meanwhile. */
export const lockPlugins = async (tx: Database): Promise<void> => {
  // A row that does not exist yet cannot be locked, and what plugins need of each other spans several rows.
  await tx.execute(sql`lock table plugins in share row exclusive mode`);
};

/**
 * The number of a new change of plugins, for a transaction that holds {@link lockPlugins}. It is kept beside the plugins'
 * rows: those go with their plugins, and the number must never fall.
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

/** Every plugin with each of its versions, as they are at one moment; a plugin without one stands alone. */
export const selectPlugins = (
  db: Database,
): Promise<{ plugins: PluginRow; plugin_versions: VersionRow | null }[]> =>
  db
    .select()
    .from(plugins)
    .leftJoin(pluginVersions, eq(pluginVersions.plugin, plugins.name))
    .orderBy(asc(plugins.name));

/** Stores a plugin, in the place of what was known of it. */
export const writePlugin = async (tx: Database, row: typeof plugins.$inferInsert): Promise<void> => {
  await tx.insert(plugins).values(row).onConflictDoUpdate({ target: plugins.name, set: row });
};

/** Changes what is named of a plugin. */
export const updatePlugin = async (
  tx: Database,
  name: string,
  change: Partial<Omit<PluginRow, "name">>,
): Promise<void> => {
  await tx.update(plugins).set(change).where(eq(plugins.name, name));
};

/** What is left in the row of a plugin that is part of Atrium once it was deleted with its data. */
export const emptied = {
  ...{ migratedVersion: null, granted: [], consentedSha256: null, publisherKeyId: null },
  ...{ settings: {}, dataKey: null },
} satisfies Partial<PluginRow>;

/** Forgets a plugin; what it stored is removed by itself. */
export const deletePlugin = async (tx: Database, name: string): Promise<void> => {
  await tx.delete(plugins).where(eq(plugins.name, name));
};

/** Stores a version, in the place of the one with that number. */
export const writeVersion = async (tx: Database, row: typeof pluginVersions.$inferInsert): Promise<void> => {
  await tx
    .insert(pluginVersions)
    .values(row)
    .onConflictDoUpdate({ target: [pluginVersions.plugin, pluginVersions.version], set: row });
};

/** Notes that a version was put in force, and how its signature stood by then. */
export const markActivated = async (
  tx: Database,
  { plugin, version, signature, now }: Pick<VersionRow, "plugin" | "version" | "signature"> & { now: Date },
): Promise<void> => {
  await tx
    .update(pluginVersions)
    .set({ activatedAt: now, signature })
    .where(and(eq(pluginVersions.plugin, plugin), eq(pluginVersions.version, version)));
};

/** Notes how the signature of a version stands by now, if it is still the same package. */
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

/** Notes the key that signed an unsigned plugin, as it is known by now, if somebody agreed to these very bytes. */
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

/** Forgets versions of a plugin. */
export const deleteVersions = async (tx: Database, plugin: string, versions: string[]): Promise<void> => {
  if (versions.length === 0) return;
  await tx
    .delete(pluginVersions)
    .where(and(eq(pluginVersions.plugin, plugin), inArray(pluginVersions.version, versions)));
};
