import { eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { installation } from "./schema.ts";

/** A value that is kept once for the installation; `null` if there is none. */
export const readInstallationValue = async (db: Database, key: string): Promise<string | null> => {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, key));
  return row?.value ?? null;
};

/** Stores a value, in the place of a former one. */
export const writeInstallationValue = async (db: Database, key: string, value: string): Promise<void> => {
  await db
    .insert(installation)
    .values({ key, value })
    .onConflictDoUpdate({ target: installation.key, set: { value } });
};
