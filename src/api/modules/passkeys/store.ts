import { and, asc, eq, gt, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { ceremonies, passkeys, users } from "#api/db/schema.ts";

/** A passkey as it is stored. */
export type Passkey = typeof passkeys.$inferSelect;

/** A challenge that waits for its answer. */
export type Ceremony = typeof ceremonies.$inferSelect;

/** A user's passkeys, oldest first. */
export const listPasskeys = (db: Database, userId: string): Promise<Passkey[]> =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));

/** The passkey with the id that browsers know it by, or `null`. */
export const findPasskey = async (db: Database, credentialId: string): Promise<Passkey | null> => {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row ?? null;
};

/** How many passkeys are of another host than this one, and can't be used. */
export const countPasskeysOfOthers = (db: Database, host: string | null): Promise<number> =>
  db.$count(passkeys, sql`${passkeys.rpId} is distinct from ${host}`);

/** How the owner of a passkey is written to; `null` when the account is gone. */
export const findOwner = async (db: Database, userId: string) => {
  const [row] = await db
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
};

/** Stores a new passkey. False when the credential is stored already, for whomever. */
export const insertPasskey = async (tx: Database, passkey: Passkey): Promise<boolean> => {
  const rows = await tx.insert(passkeys).values(passkey).onConflictDoNothing().returning({ id: passkeys.id });
  return rows.length > 0;
};

// The id comes from a path: it need not look like one.
const own = (userId: string, id: string) =>
  and(eq(passkeys.userId, userId), sql`${passkeys.id}::text = ${id}`);

/** Gives a user's passkey another name. False when the user has none with this id. */
export const renamePasskey = async (
  db: Database,
  { userId, id, name }: Pick<Passkey, "userId" | "id" | "name">,
): Promise<boolean> => {
  const rows = await db.update(passkeys).set({ name }).where(own(userId, id)).returning({ id: passkeys.id });
  return rows.length > 0;
};

/** Removes a user's passkey and resolves to it; `null` when the user has none with this id. */
export const removePasskey = async (tx: Database, userId: string, id: string): Promise<Passkey | null> => {
  const [row] = await tx.delete(passkeys).where(own(userId, id)).returning();
  return row ?? null;
};

/** Removes all passkeys of a user; how many there were. */
export const removePasskeys = async (tx: Database, userId: string): Promise<number> => {
  const rows = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
  return rows.length;
};

/** What a use of a passkey leaves: the authenticator's counter, and whether the passkey is backed up. */
export type PasskeyUse = Pick<Passkey, "counter" | "isBackedUp">;

/**
 * Notes that a passkey was used, if it is as it was found: of two uses at the same time whose counters would not both rise one
 * gets `true`.
 */
export const noteUse = async (
  tx: Database,
  passkey: Passkey,
  { now, ...use }: PasskeyUse & { now: Date },
): Promise<boolean> => {
  const { id, counter, suspectAt } = passkeys;
  const rows = await tx
    .update(passkeys)
    .set({ ...use, needsPassword: false, lastUsedAt: now })
    .where(and(eq(id, passkey.id), eq(counter, passkey.counter), isNull(suspectAt)))
    .returning({ id });
  return rows.length > 0;
};

/** Notes that there may be a copy of a passkey. False when that is known already. */
export const markSuspect = async (tx: Database, id: string, now: Date): Promise<boolean> => {
  const rows = await tx
    .update(passkeys)
    .set({ suspectAt: now })
    .where(and(eq(passkeys.id, id), isNull(passkeys.suspectAt)))
    .returning({ id: passkeys.id });
  return rows.length > 0;
};

/** Has the passkeys of a user wait for the password that was set a moment ago. */
export const wantPassword = async (tx: Database, userId: string): Promise<void> => {
  await tx.update(passkeys).set({ needsPassword: true }).where(eq(passkeys.userId, userId));
};

/** Stores a challenge. */
export const insertCeremony = async (db: Database, ceremony: Ceremony): Promise<void> => {
  await db.insert(ceremonies).values(ceremony);
};

/**
 * Uses a challenge up; `null` when there is none with this id, it has expired, or it is for another purpose or user. Of many
 * calls at the same time one gets it.
 */
export const takeCeremony = async (
  db: Database,
  { id, purpose, userId, now }: Pick<Ceremony, "id" | "purpose" | "userId"> & { now: Date },
): Promise<Ceremony | null> => {
  const [row] = await db
    .delete(ceremonies)
    .where(
      and(
        sql`${ceremonies.id}::text = ${id}`,
        eq(ceremonies.purpose, purpose),
        userId === null ? isNull(ceremonies.userId) : eq(ceremonies.userId, userId),
        gt(ceremonies.expiresAt, now),
      ),
    )
    .returning();
  return row ?? null;
};

/** Removes the challenges that have expired. */
export const removeOldCeremonies = async (db: Database, now: Date): Promise<void> => {
  await db.delete(ceremonies).where(lte(ceremonies.expiresAt, now));
};
