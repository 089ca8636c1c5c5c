import { eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { users } from "#api/db/schema.ts";
import { type UserRow, userColumns } from "#api/db/user-rows.ts";

/**
 * Stores the hash of a user's new password, and that their mailbox was proved where it was; the user as they are then.
 * Their row must be held.
 */
export const savePasswordHash = async (
  tx: Database,
  userId: string,
  { now, ...change }: { passwordHash: string; mailboxProvedAt?: Date | undefined; now: Date },
): Promise<UserRow> => {
  const [row] = await tx
    .update(users)
    .set({ ...change, updatedAt: now })
    .where(eq(users.id, userId))
    .returning(userColumns);
  if (!row) throw new Error("the user is gone");
  return row;
};
