import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, notExists, or, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import {
  apiTokens,
  identities,
  passkeys,
  signInFailures,
  tokens,
  totpSecrets,
  users,
} from "#api/db/schema.ts";
import { type UserRow, userColumns } from "#api/db/user-rows.ts";
import { limits } from "#contract/limits.ts";
import { providerKind, type WayIn } from "#contract/users.ts";

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
  if (!row) throw new Error("the user no longer exists");
  return row;
};

/** Removes a user's password: only a link sets another one. */
export const removePassword = async (tx: Database, userId: string, now: Date): Promise<void> => {
  await tx.update(users).set({ passwordHash: null, updatedAt: now }).where(eq(users.id, userId));
};

/**
 * Takes one of the wrong passwords in a row that an address has, whether or not it has an account: false when none is
 * left. Of many at the same time exactly as many as are left get one.
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

/** Gives an enabled user a reset token for an hour, in the place of older ones. False for a user who is not. */
export const replaceResetToken = async (
  tx: Database,
  userId: string,
  tokenHash: string,
  now: Date,
): Promise<boolean> => {
  if (!(await holdEnabled(tx, userId))) return false;
  await removeResetTokens(tx, userId);
  const expiresAt = new Date(now.getTime() + limits.resetTokenMs);
  await tx.insert(tokens).values({ tokenHash, purpose: "reset", userId, expiresAt, createdAt: now });
  return true;
};

/** Ends every reset token of a user. */
export const removeResetTokens = async (tx: Database, userId: string): Promise<void> => {
  await tx.delete(tokens).where(and(eq(tokens.purpose, "reset"), eq(tokens.userId, userId)));
};

const isGood = (tokenHash: string, now: Date) =>
  and(
    eq(tokens.tokenHash, tokenHash),
    eq(tokens.purpose, "reset"),
    isNull(tokens.usedAt),
    gt(tokens.expiresAt, now),
  );

/** The user whose password a reset token would change now, or `null`; a disabled user's token is good for nothing. */
export const findResetOwner = async (db: Database, tokenHash: string, now: Date): Promise<UserRow | null> => {
  const [row] = await db
    .select(userColumns)
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(and(isGood(tokenHash, now), isNull(users.disabledAt)));
  return row ?? null;
};

/** Uses a user's reset token up. Of many calls at the same time one gets `true`, and none once the user is disabled. */
export const takeResetToken = async (
  tx: Database,
  userId: string,
  tokenHash: string,
  now: Date,
): Promise<boolean> => {
  if (!(await holdEnabled(tx, userId))) return false;
  const rows = await tx
    .update(tokens)
    .set({ usedAt: now })
    .where(and(isGood(tokenHash, now), eq(tokens.userId, userId)))
    .returning({ hash: tokens.tokenHash });
  return rows.length > 0;
};

/** Whoever locks a user and their tokens, a removal included, begins with the user: two would else wait for each other. */
const holdEnabled = async (tx: Database, userId: string): Promise<boolean> => {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.disabledAt)))
    .for("no key update");
  return rows.length > 0;
};

/** Whose ways in are wanted, which of them work `now`, and what providers are called. */
type WaysInQuery = { userId: string; now: Date; labelOf: (provider: string) => string };

/** What opens a user's account beside the password: linked identities, passkeys, and API tokens that they made and that work. */
export const selectWaysIn = async (db: Database, { userId, now, labelOf }: WaysInQuery): Promise<WayIn[]> => {
  const [user] = await db
    .select({ provedAt: users.mailboxProvedAt, appAt: totpSecrets.enabledAt })
    .from(users)
    .leftJoin(totpSecrets, eq(totpSecrets.userId, users.id))
    .where(eq(users.id, userId));
  const linked = await db
    .select({ id: identities.id, provider: identities.provider, at: identities.linkedAt })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.provider));
  const added = await db
    .select({ id: passkeys.id, label: passkeys.name, at: passkeys.createdAt, suspectAt: passkeys.suspectAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id));
  const made = await selectTokens(db, userId, now);
  const { provedAt = null, appAt = null } = user ?? {};
  // Before the first proof anyone may have added what there is.
  const isNewer = (at: Date | null) => at !== null && (provedAt === null || at > provedAt);
  // Whoever can only read the email must not take the last second factor away.
  const isProtected =
    (appAt !== null && !isNewer(appAt)) ||
    added.some(({ at, suspectAt }) => suspectAt === null && !isNewer(at));
  const aged = (at: Date | null, isSpare = true) => ({
    since: at?.toISOString() ?? null,
    isNewer: isNewer(at),
    isRemovable: isSpare && isNewer(at),
  });
  return [
    ...linked.map(({ id, provider, at }) => ({
      ...{ id, kind: providerKind(provider), label: labelOf(provider) },
      ...aged(at),
    })),
    ...added.map(({ id, label, at }) => ({ id, kind: "passkey" as const, label, ...aged(at, isProtected) })),
    ...made.map(({ id, label, at }) => ({ id, kind: "token" as const, label, ...aged(at) })),
  ];
};

const selectTokens = (db: Database, userId: string, now: Date) =>
  db
    .select({ id: apiTokens.id, label: apiTokens.name, at: apiTokens.createdAt })
    .from(apiTokens)
    .where(
      and(
        eq(apiTokens.createdBy, userId),
        isNull(apiTokens.revokedAt),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
      ),
    )
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));

/** Takes ways into an account away: identities and passkeys are removed, tokens revoked. The user's row must be held. */
export const removeWaysIn = async (tx: Database, ways: readonly WayIn[], now: Date): Promise<void> => {
  const ids = ways.map(({ id }) => id);
  await tx.delete(identities).where(inArray(identities.id, ids));
  await tx.delete(passkeys).where(inArray(passkeys.id, ids));
  await tx.update(apiTokens).set({ revokedAt: now }).where(inArray(apiTokens.id, ids));
};
