import { eq } from "drizzle-orm";
import type { Database } from "#api/db/database.ts";
import { users } from "#api/db/schema.ts";

/** Stores the hash of a user's new password. */
export const savePasswordHash = async (
  tx: Database,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<void> => {
  await tx.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));
};
