import { and, count, eq, isNull, lt, or } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { pendingTotpSecrets, recoveryCodes, totpSecrets, users } from "#api/db/schema.ts";

/** An authenticator app: its encrypted secret, and the newest step that was accepted. */
export type StoredTotp = typeof totpSecrets.$inferSelect;

/** One that is being set up. */
export type PendingTotp = typeof pendingTotpSecrets.$inferSelect;

/** A user's authenticator app, or `null`. */
export const findTotp = async (db: Database, userId: string): Promise<StoredTotp | null> => {
  const [row] = await db.select().from(totpSecrets).where(eq(totpSecrets.userId, userId));
  return row ?? null;
};

/** How many recovery codes a user has left. */
export const countRecoveryCodes = async (db: Database, userId: string): Promise<number> => {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return row?.left ?? 0;
};

/** Begins to set an app up, in the place of one that was begun before. */
export const savePending = async (
  db: Database,
  { userId, secret, now }: { userId: string; secret: Uint8Array; now: Date },
): Promise<void> => {
  const begun = { secret, lastStep: null, recoveryHashes: null, verifiedAt: null, createdAt: now };
  await db
    .insert(pendingTotpSecrets)
    .values({ userId, ...begun })
    .onConflictDoUpdate({ target: pendingTotpSecrets.userId, set: begun });
};

/** The app that a user is setting up, or `null`, however long ago it was begun. */
export const findPending = async (db: Database, userId: string): Promise<PendingTotp | null> => {
  const [row] = await db.select().from(pendingTotpSecrets).where(eq(pendingTotpSecrets.userId, userId));
  return row ?? null;
};

/**
 * Notes that a code of the app was right, and the hashes of the recovery codes that are shown for it. False when another setup
 * was begun meanwhile or the code was used.
 */
export const verifyPending = async (
  db: Database,
  pending: PendingTotp,
  { step, hashes, now }: { step: number; hashes: string[]; now: Date },
): Promise<boolean> => {
  const { lastStep, secret, userId } = pendingTotpSecrets;
  const rows = await db
    .update(pendingTotpSecrets)
    .set({ lastStep: step, recoveryHashes: hashes, verifiedAt: now })
    .where(
      and(eq(userId, pending.userId), eq(secret, pending.secret), or(isNull(lastStep), lt(lastStep, step))),
    )
    .returning({ userId });
  return rows.length > 0;
};

/** Takes the app that a user is setting up, to be enabled; of many at once one gets it. */
export const takePending = async (tx: Database, userId: string): Promise<PendingTotp | null> => {
  const [row] = await tx.delete(pendingTotpSecrets).where(eq(pendingTotpSecrets.userId, userId)).returning();
  return row ?? null;
};

/** Makes an app the one that the user signs in with. The user's row must be held. */
export const saveTotp = async (tx: Database, { userId, ...totp }: StoredTotp): Promise<void> => {
  await tx
    .insert(totpSecrets)
    .values({ userId, ...totp })
    .onConflictDoUpdate({ target: totpSecrets.userId, set: totp });
};

/** Uses up all codes up to a step. False when that or a newer one was used: of many at once one gets `true`. */
export const takeStep = async (db: Database, userId: string, step: number): Promise<boolean> => {
  const rows = await db
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(
      and(eq(totpSecrets.userId, userId), or(isNull(totpSecrets.lastStep), lt(totpSecrets.lastStep, step))),
    )
    .returning({ userId: totpSecrets.userId });
  return rows.length > 0;
};

/** Gives a user other recovery codes; the old ones end. */
export const replaceRecoveryCodes = async (
  tx: Database,
  { userId, hashes, now }: { userId: string; hashes: string[]; now: Date },
): Promise<void> => {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })));
};

/** Uses a recovery code up. False when the user has no such code: of many at once one gets `true`. */
export const takeRecoveryCode = async (tx: Database, userId: string, codeHash: string): Promise<boolean> => {
  const rows = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ userId: recoveryCodes.userId });
  return rows.length > 0;
};

/** Removes every second factor of a user, set up or not. False when none was enabled. The user's row must be held. */
export const removeFactors = async (tx: Database, userId: string): Promise<boolean> => {
  await tx.delete(pendingTotpSecrets).where(eq(pendingTotpSecrets.userId, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const gone = await tx
    .delete(totpSecrets)
    .where(eq(totpSecrets.userId, userId))
    .returning({ userId: totpSecrets.userId });
  await setSecondFactorAt(tx, userId, null);
  return gone.length > 0;
};

/** Says on the user's row since when there is a second factor: remembered sessions see it change. */
export const setSecondFactorAt = async (tx: Database, userId: string, at: Date | null): Promise<void> => {
  await tx.update(users).set({ secondFactorAt: at }).where(eq(users.id, userId));
};
