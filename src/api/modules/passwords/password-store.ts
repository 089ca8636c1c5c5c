import { eq } from "drizzle-orm";
import type { Database } from "#api/db/database.ts";
import { users } from "#api/db/schema.ts";
import type { UserRow } from "#api/modules/users/index.ts";

/** Stores the hash of a user's new password; the user as they are then. Their row must be held. */
export const savePasswordHash = async (
  tx: Database,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<UserRow> => {
  const [row] = await tx
    .update(users)
    .set({ passwordHash, updatedAt: now })
    .where(eq(users.id, userId))
    .returning();
  if (!row) throw new Error("the user is gone");
  return row;
};
