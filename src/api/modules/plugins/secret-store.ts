import { eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { pluginSecrets } from "#api/db/schema.ts";

/** Names of the secret fields that are set. */
export const selectSecretFields = async (db: Database, plugin: string): Promise<Set<string>> => {
  const rows = await db
    .select({ id: pluginSecrets.id })
    .from(pluginSecrets)
    .where(eq(pluginSecrets.plugin, plugin));
  return new Set(rows.map(({ id }) => id.slice(plugin.length + 1)));
};

/** A sealed secret, or `null`. */
export const selectSecret = async (db: Database, id: string): Promise<Uint8Array | null> => {
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
