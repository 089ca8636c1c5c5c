import { and, eq, isNull, ne } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { identities, users } from "#api/db/schema.ts";
import { type UserRow, userColumns } from "#api/db/user-rows.ts";
import type { ProviderName } from "#contract/users.ts";

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

/** Takes the identity at a provider off an account. */
export const removeIdentity = async (
  tx: Database,
  id: string,
  provider: ProviderName,
  now: Date,
): Promise<void> => {
  await tx.delete(identities).where(and(eq(identities.userId, id), eq(identities.provider, provider)));
  await tx.update(users).set({ updatedAt: now }).where(eq(users.id, id));
};

/** Whether anyone but this user is an enabled admin. */
export const hasOtherAdmin = async (db: Database, id: string): Promise<boolean> => {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "admin"), isNull(users.disabledAt), ne(users.id, id)))
    .limit(1);
  return rows.length > 0;
};
