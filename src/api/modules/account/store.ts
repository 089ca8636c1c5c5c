import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { users } from "#api/db/schema.ts";
import { type UserRow, userColumns } from "#api/db/user-rows.ts";

/** What a person's own account can have changed. */
export type AccountChange = Partial<Pick<UserRow, "name">>;

const enabled = (id: string) => and(eq(users.id, id), isNull(users.disabledAt));

/** The account as it is now, or `null` when it is gone or disabled. */
export const findAccount = async (db: Database, id: string): Promise<UserRow | null> => {
  const [row] = await db.select(userColumns).from(users).where(enabled(id));
  return row ?? null;
};

/** Changes an account; `null` when it is gone or disabled. */
export const changeAccount = async (
  tx: Database,
  id: string,
  change: AccountChange & { updatedAt: Date },
): Promise<UserRow | null> => {
  const [row] = await tx.update(users).set(change).where(enabled(id)).returning(userColumns);
  return row ?? null;
};
