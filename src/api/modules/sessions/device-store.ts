import { and, eq, exists, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { prepared } from "#api/db/prepared.ts";
import { knownDevices, sessions, users } from "#api/db/schema.ts";
import { limits } from "#contract/limits.ts";

/**
 * Takes one of the wrong passwords that a known browser of the address's owner may still send: false for a browser that
 * is unknown to them or has sent too many in a row. Of many at the same time exactly as many as are left get one. The work is
 * the same for an address without an account.
 */
export const takeDeviceTry = async (db: Database, emailKey: string, tokenHash: string): Promise<boolean> => {
  const rows = await deviceTry(db).execute({ emailKey, tokenHash });
  return rows.length > 0;
};

const deviceTry = prepared((db) => {
  const isOwner = eq(users.emailKey, sql.placeholder("emailKey"));
  const owner = db.select({ id: users.id }).from(users).where(isOwner);
  return db
    .update(knownDevices)
    .set({ failures: sql`${knownDevices.failures} + 1` })
    .where(
      and(
        eq(knownDevices.tokenHash, sql.placeholder("tokenHash")),
        eq(knownDevices.userId, sql`(${owner})`),
        lt(knownDevices.failures, limits.signInFailuresByDevice),
      ),
    )
    .returning({ hash: knownDevices.tokenHash })
    .prepare("device_try");
});

/** Gives a try back that was none: the password was not looked at. */
export const returnDeviceTry = async (db: Database, tokenHash: string): Promise<void> => {
  await db
    .update(knownDevices)
    .set({ failures: sql`greatest(${knownDevices.failures} - 1, 0)` })
    .where(eq(knownDevices.tokenHash, tokenHash));
};

/** Remembers a browser that the user signed in with. */
export const insertDevice = async (
  tx: Database,
  device: { tokenHash: string; userId: string; now: Date },
): Promise<void> => {
  const { tokenHash, userId, now } = device;
  await tx.insert(knownDevices).values({ tokenHash, userId, createdAt: now, lastUsedAt: now });
};

/** Whether the user has another session than the one with the hash, or signed in with a browser that is remembered. */
export const wasSignedIn = async (db: Database, userId: string, sessionHash: string): Promise<boolean> => {
  const devices = db.select({ one: sql`1` }).from(knownDevices).where(eq(knownDevices.userId, users.id));
  const others = db
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.userId, users.id), ne(sessions.tokenHash, sessionHash)));
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), or(exists(devices), exists(others))));
  return rows.length > 0;
};

/** Forgets the browsers of a user, but for the one with the hash `except`. */
export const forgetDevices = async (
  tx: Database,
  userId: string,
  { except = null }: { except?: string | null } = {},
): Promise<void> => {
  const kept = except === null ? undefined : ne(knownDevices.tokenHash, except);
  await tx.delete(knownDevices).where(and(eq(knownDevices.userId, userId), kept));
};

/** Forgets browsers that no one signed in with since `before`. */
export const removeOldDevices = async (db: Database, before: Date): Promise<void> => {
  await db.delete(knownDevices).where(lte(knownDevices.lastUsedAt, before));
};
