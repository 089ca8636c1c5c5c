import { and, eq, gt, isNull } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { tokens, users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { limits } from "#contract/limits.ts";

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

/** Uses a user's reset token up. Of many calls at once one gets `true`, and none once the user is disabled. */
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
