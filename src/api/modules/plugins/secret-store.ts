import { eq } from "drizzle-orm";
import type { Context } from "#api/core/context.ts";
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
