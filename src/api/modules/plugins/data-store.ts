import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import {
  pluginJobs,
  pluginKv,
  pluginReplicas,
  pluginRules,
  pluginSecrets,
  pluginUses,
} from "#api/db/schema.ts";

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
