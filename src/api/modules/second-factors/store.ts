import { and, asc, count, eq, gt, isNull, lt, max, or, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { passkeys, pendingTotpSecrets, recoveryCodes, totpSecrets, users } from "#api/db/schema.ts";
import { holdUser, type UserRow } from "#api/db/user-rows.ts";
import { removePasskeys } from "#api/modules/passkeys/index.ts";
import { forgetFactor } from "#api/modules/sessions/index.ts";
import { type FactorWay, factorWays } from "#contract/proof.ts";

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

/** The user, locked until the transaction ends; `null` when they are gone or disabled. */
export const holdOwner = (tx: Database, id: string): Promise<UserRow | null> =>
  holdUser(tx, and(eq(users.id, id), isNull(users.disabledAt)));

/** In which ways a user can give their second factor, the most convenient first. */
export const findFactorWays = async (db: Database, id: string): Promise<FactorWay[]> => {
  const has = (table: typeof passkeys | typeof totpSecrets | typeof recoveryCodes) =>
    sql<boolean>`exists (select from ${table} where user_id = ${id})`;
  const [row] = await db
    .select({ passkey: has(passkeys), code: has(totpSecrets), recovery: has(recoveryCodes) })
    .from(users)
    .where(eq(users.id, id));
  return factorWays.filter((way) => row?.[way]);
};

/** What a user has as a second factor, without what is secret of it: passkeys, the app, recovery codes. */
export const selectFactors = async (db: Database, userId: string) => {
  const own = await db
    .select({
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
      suspectAt: passkeys.suspectAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  const app = await findTotp(db, userId);
  const [codes] = await db
    .select({ left: count(), createdAt: max(recoveryCodes.createdAt) })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  const other = { name: null, lastUsedAt: null, left: null, blockedAt: null };
  return [
    ...own.map(({ name, createdAt, lastUsedAt, suspectAt }) => ({
      ...{ way: "passkey" as const, name, left: null },
      addedAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      blockedAt: suspectAt?.toISOString() ?? null,
    })),
    ...(app === null
      ? []
      : [{ ...other, way: "code" as const, addedAt: app.enabledAt.toISOString(), lastUsedAt: usedAt(app) }]),
    ...(codes?.createdAt
      ? [{ ...other, way: "recovery" as const, addedAt: codes.createdAt.toISOString(), left: codes.left }]
      : []),
  ];
};

// A step is a code's number since 1970. Source: RFC 6238 §4.2.
const stepMs = 30_000;

const usedAt = ({ lastStep }: StoredTotp): string | null =>
  lastStep === null ? null : new Date(lastStep * stepMs).toISOString();

/** Removes a user's authenticator app, set up or not. False when none was enabled. The user's row must be held. */
export const removeTotp = async (tx: Database, userId: string): Promise<boolean> => {
  await tx.delete(pendingTotpSecrets).where(eq(pendingTotpSecrets.userId, userId));
  const gone = await tx
    .delete(totpSecrets)
    .where(eq(totpSecrets.userId, userId))
    .returning({ userId: totpSecrets.userId });
  return gone.length > 0;
};

/**
 * Notes on the row of a user, which must be held, that one of their second factors was removed. Without another one the recovery
 * codes end, too, and it resolves to false.
 */
export const settleFactors = async (
  tx: Database,
  { id, secondFactorAt }: Pick<UserRow, "id" | "secondFactorAt">,
): Promise<boolean> => {
  const isProtected = (await findFactorWays(tx, id)).some((way) => way !== "recovery");
  if (!isProtected) {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
    await forgetFactor(tx, id);
  }
  await setSecondFactorAt(tx, id, isProtected ? secondFactorAt : null);
  return isProtected;
};

/**
 * Removes every second factor of a user, set up or not, unless the passkeys are kept. Whether there was one to remove, and whether one
 * is left. The user's row must be held.
 */
export const removeFactors = async (
  tx: Database,
  account: Pick<UserRow, "id" | "secondFactorAt">,
  { keepsPasskeys }: { keepsPasskeys: boolean },
): Promise<{ isRemoved: boolean; isProtected: boolean }> => {
  const hadApp = await removeTotp(tx, account.id);
  const hadPasskeys = !keepsPasskeys && (await removePasskeys(tx, account.id)) > 0;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, account.id));
  const isProtected = await settleFactors(tx, account);
  return { isRemoved: hadApp || hadPasskeys, isProtected };
};

/** Removes the second factors of a user that were added or replaced after `since`, and every setup. The user's row must be held. */
export const removeFactorsAfter = async (
  tx: Database,
  account: Pick<UserRow, "id" | "secondFactorAt">,
  since: Date,
): Promise<void> => {
  const { id } = account;
  await tx.delete(pendingTotpSecrets).where(eq(pendingTotpSecrets.userId, id));
  await tx.delete(totpSecrets).where(and(eq(totpSecrets.userId, id), gt(totpSecrets.enabledAt, since)));
  await tx.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, id), gt(recoveryCodes.createdAt, since)));
  await tx.delete(passkeys).where(and(eq(passkeys.userId, id), gt(passkeys.createdAt, since)));
  await settleFactors(tx, account);
};

/** Says on the user's row since when there is a second factor: remembered sessions see it change, and are read again. */
export const setSecondFactorAt = async (tx: Database, userId: string, at: Date | null): Promise<void> => {
  await tx.update(users).set({ secondFactorAt: at }).where(eq(users.id, userId));
};
