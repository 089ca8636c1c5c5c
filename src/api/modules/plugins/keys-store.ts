import { asc, eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { pluginKeys } from "#api/db/schema.ts";
import type { TrustedKey } from "#contract/plugins.ts";

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
