import { eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { sqlStateOf } from "./errors.ts";
import { installation } from "./schema.ts";

/** The version of the program that opened the database last; `null` for one that none has opened yet. */
export const readVersionStamp = async (db: Database): Promise<string | null> => {
  try {
    const [row] = await db
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.key, versionStampKey));
    return row?.value ?? null;
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return null;
    throw error;
  }
};

/** Notes that `version` has opened the database. */
export const stampVersion = async (db: Database, version: string): Promise<void> => {
  if ((await readVersionStamp(db)) === version) return;
  await db
    .insert(installation)
    .values({ key: versionStampKey, value: version })
    .onConflictDoUpdate({ target: installation.key, set: { value: version } });
};

/** The row that it stands in. */
export const versionStampKey = "program_version";
const undefinedTable = "42P01";
