import { and, desc, eq, gt, gte, isNull, or, type SQL } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { isUniqueViolation } from "#api/db/errors.ts";
import { emailChanges, identities, users } from "#api/db/schema.ts";
import { findUserByEmailKey, isReserved } from "#api/modules/users/index.ts";
import { limits } from "#contract/limits.ts";
import type { EmailChangeAct } from "#contract/users.ts";

/** A change as it is stored. */
export type EmailChange = typeof emailChanges.$inferSelect;

const isOpen = (now: Date): SQL | undefined =>
  and(isNull(emailChanges.changedAt), isNull(emailChanges.endedAt), gt(emailChanges.expiresAt, now));

/** The change of a user that waits, or `null`. */
export const findOpenChange = async (
  db: Database,
  userId: string,
  now: Date,
): Promise<EmailChange | null> => {
  const [row] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isOpen(now)))
    .orderBy(desc(emailChanges.createdAt))
    .limit(1);
  return row ?? null;
};

/** Stores a change that waits. The user's row must be held. */
export const insertChange = async (tx: Database, change: typeof emailChanges.$inferInsert): Promise<void> => {
  await tx.insert(emailChanges).values(change);
};

/** A change, and which mailbox the token that found it was emailed to. */
export type FoundChange = { change: EmailChange; isOfOld: boolean };

/** The change that a token was emailed for, whatever became of it, or `null`. */
export const findByToken = async (db: Database, tokenHash: string): Promise<FoundChange | null> => {
  const [change] = await db
    .select()
    .from(emailChanges)
    .where(or(eq(emailChanges.newHash, tokenHash), eq(emailChanges.oldHash, tokenHash)));
  return change ? { change, isOfOld: change.oldHash === tokenHash } : null;
};

/** What a link can be used for now; nothing when it is over. */
export const actsOf = ({ change, isOfOld }: FoundChange, now: Date): EmailChangeAct[] => {
  if (change.endedAt !== null) return [];
  if (change.changedAt !== null)
    return isOfOld && now.getTime() - change.changedAt.getTime() < limits.emailUndoMs ? ["undo"] : [];
  if (change.expiresAt <= now) return [];
  if (!isOfOld) return ["confirm"];
  return change.needsApproval && change.approvedAt === null ? ["approve", "stop"] : ["stop"];
};

/** Notes what became of a change. The user's row must be held. */
export const updateChange = async (tx: Database, id: string, change: Partial<EmailChange>): Promise<void> => {
  await tx.update(emailChanges).set(change).where(eq(emailChanges.id, id));
};

/** Ends the changes of a user that wait, with all links, and where `since` is given, those made then or later, which can't be undone anymore. */
export const endChanges = async (
  tx: Database,
  userId: string,
  { now, since }: { now: Date; since?: Date },
): Promise<number> => {
  const which = since
    ? and(
        isNull(emailChanges.endedAt),
        or(isNull(emailChanges.changedAt), gte(emailChanges.changedAt, since)),
      )
    : isOpen(now);
  const rows = await tx
    .update(emailChanges)
    .set({ endedAt: now })
    .where(and(eq(emailChanges.userId, userId), which))
    .returning({ id: emailChanges.id });
  return rows.length;
};

/** Whether another user has the folded address, or had it within the last 30 days. */
export const isTaken = async (
  db: Database,
  { key, userId, now }: { key: string; userId: string; now: Date },
): Promise<boolean> => {
  const owner = await findUserByEmailKey(db, key);
  return (owner !== null && owner.id !== userId) || isReserved(db, { key, userId, now });
};

/**
 * Gives a user, whose row is held, another address, which they have proved. False when someone else got it first: then the
 * transaction can only be rolled back.
 */
export const setEmail = async (
  tx: Database,
  { userId, email, key, now }: { userId: string; email: string; key: string; now: Date },
): Promise<boolean> => {
  try {
    await tx
      .update(users)
      .set({ email, emailKey: key, emailVerifiedAt: now, mailboxProvedAt: now, updatedAt: now })
      .where(eq(users.id, userId));
    // Emails about linked providers went to the former address, whose reader has no say anymore.
    await tx.update(identities).set({ undoHash: null }).where(eq(identities.userId, userId));
    return true;
  } catch (error) {
    if (!isUniqueViolation(error, "users_email_key")) throw error;
    return false;
  }
};
