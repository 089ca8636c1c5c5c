import { eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { installation } from "#api/db/schema.ts";

/**
 * Notes, in the caller's transaction, up to which version the log tells of upgrades; resolves to what stood there before,
 * `null` for nothing. Replicas that start at the same time come one after another.
 */
export const replaceRecordedVersion = async (tx: Database, version: string): Promise<string | null> => {
  const [added] = await tx
    .insert(installation)
    .values({ key: rowKey, value: version })
    .onConflictDoNothing()
    .returning({ key: installation.key });
  if (added !== undefined) return null;
  const [row] = await tx.select().from(installation).where(eq(installation.key, rowKey)).for("update");
  if (row !== undefined && row.value !== version)
    await tx.update(installation).set({ value: version }).where(eq(installation.key, rowKey));
  return row?.value ?? null;
};

/** The same without changing anything. */
export const readRecordedVersion = async (db: Database): Promise<string | null> => {
  const [row] = await db.select().from(installation).where(eq(installation.key, rowKey));
  return row?.value ?? null;
};

const rowKey = "recorded_version";
