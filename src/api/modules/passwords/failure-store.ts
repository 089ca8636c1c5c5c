import { and, eq, lt, lte, notExists, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { signInFailures, users } from "#api/db/schema.ts";
import { limits } from "#contract/limits.ts";

/**
 * Takes one of the wrong passwords in a row that an address has, whether or not it has an account: false when none is
 * left. Of many at once exactly as many as are left get one.
 */
export const takeSignInTry = async (db: Database, emailKey: string, now: Date): Promise<boolean> => {
  const rows = await db
    .insert(signInFailures)
    .values({ emailKey, failures: 1, lastFailedAt: now })
    .onConflictDoUpdate({
      target: signInFailures.emailKey,
      set: { failures: sql`${signInFailures.failures} + 1`, lastFailedAt: now },
      setWhere: lt(signInFailures.failures, limits.signInFailuresInARow),
    })
    .returning({ key: signInFailures.emailKey });
  return rows.length > 0;
};

/** Gives a try back that was none: the password was not looked at, or was right. */
export const returnSignInTry = async (db: Database, emailKey: string): Promise<void> => {
  const isOnly = and(eq(signInFailures.emailKey, emailKey), lte(signInFailures.failures, 1));
  const gone = await db.delete(signInFailures).where(isOnly).returning({ key: signInFailures.emailKey });
  if (gone.length > 0) return;
  await db
    .update(signInFailures)
    .set({ failures: sql`${signInFailures.failures} - 1` })
    .where(eq(signInFailures.emailKey, emailKey));
};

/** Ends a row of wrong passwords: the right one came, or there is a new one. */
export const forgetSignInFailures = async (tx: Database, emailKey: string): Promise<void> => {
  await tx.delete(signInFailures).where(eq(signInFailures.emailKey, emailKey));
};

/** Forgets rows that did not grow since `before`, of addresses without an account: those with one wait for its owner. */
export const removeOldSignInFailures = async (db: Database, before: Date): Promise<void> => {
  const owner = db.select({ id: users.id }).from(users).where(eq(users.emailKey, signInFailures.emailKey));
  await db.delete(signInFailures).where(and(lte(signInFailures.lastFailedAt, before), notExists(owner)));
};
