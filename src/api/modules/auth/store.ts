import { and, desc, eq, gt, inArray, isNull, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { prepared } from "#api/db/prepared.ts";
import {
  emailChanges,
  invitations,
  mailCooldowns,
  pendingRegistrations,
  sessions,
  signInFailures,
  tokens,
  users,
} from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { limits } from "#contract/limits.ts";

/** A registration whose link was not followed yet. */
export type PendingRegistration = typeof pendingRegistrations.$inferSelect;

const userByKey = prepared((db) =>
  db
    .select(userColumns)
    .from(users)
    .where(eq(users.emailKey, sql.placeholder("key")))
    .prepare("user_by_key"),
);

/** Finds the newest of an address's registrations that `isMeant` takes. */
const newestByKey = (db: Database, isMeant: SQL, name: string) =>
  db
    .select()
    .from(pendingRegistrations)
    .where(and(eq(pendingRegistrations.emailKey, sql.placeholder("key")), isMeant))
    .orderBy(desc(pendingRegistrations.createdAt), desc(pendingRegistrations.id))
    .limit(1)
    .prepare(name);

const newestPendingByKey = (db: Database) =>
  newestByKey(db, gt(pendingRegistrations.expiresAt, sql.placeholder("now")), "newest_pending_by_key");

const newestRegistrationByKey = prepared((db) =>
  newestByKey(
    db,
    gt(pendingRegistrations.createdAt, sql.placeholder("dayAgo")),
    "newest_registration_by_key",
  ),
);

/** The moment before which a registration is too old to be told of to whoever signs in with its password. */
const dayBefore = (now: Date): Date => new Date(now.getTime() - limits.verificationTokenMs);

/**
 * What a sign-in is checked against: the user of the address, and its newest registration of the last day. Beside an
 * account that is one which had ended before it began, and it goes when the account does.
 */
export const findCredentials = async (db: Database, key: string, now: Date) => {
  // Always both, so that the time of the answer does not tell which of them exists.
  const [user] = await userByKey(db).execute({ key });
  const [newest] = await newestRegistrationByKey(db).execute({ key, dayAgo: dayBefore(now).toISOString() });
  const isMeant = newest !== undefined && (user !== undefined || newest.expiresAt > now);
  return { user: user ?? null, registration: isMeant ? newest : null };
};

// No address is folded to this.
const noKey = "";

/**
 * Ends the user's row of wrong passwords, holds the user until the transaction ends, and tells whether sign-in with this
 * very hash is still allowed: a password changed or an account disabled while the hash was computed must not leave a
 * session behind. With a second factor the row goes on, since wrong codes count, too.
 */
export const admitUser = async (tx: Database, user: UserRow, passwordHash: string): Promise<boolean> => {
  const forgiven = tx.$with("forgiven").as(
    tx
      .delete(signInFailures)
      .where(eq(signInFailures.emailKey, user.secondFactorAt === null ? user.emailKey : noKey))
      .returning({ key: signInFailures.emailKey }),
  );
  const rows = await tx
    .with(forgiven)
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, user.id), eq(users.passwordHash, passwordHash), isNull(users.disabledAt)))
    .for("no key update");
  return rows.length > 0;
};

/** Replaces a password's hash by one of the same password. */
export const updatePasswordHash = async (tx: Database, id: string, passwordHash: string): Promise<void> => {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, id));
};

/**
 * Takes the address's turn to be emailed. False when it was emailed less than a minute ago; of many at the same time exactly
 * one gets the turn, the others wait for its transaction.
 */
export const takeMailTurn = async (tx: Database, key: string, now: Date): Promise<boolean> => {
  const free = new Date(now.getTime() - limits.mailCooldownMs);
  const rows = await tx
    .insert(mailCooldowns)
    .values({ emailKey: key, mailedAt: now })
    .onConflictDoUpdate({
      target: mailCooldowns.emailKey,
      set: { mailedAt: now },
      setWhere: lte(mailCooldowns.mailedAt, free),
    })
    .returning({ key: mailCooldowns.emailKey });
  return rows.length > 0;
};

/** Gives a turn back that was taken and not used. */
export const returnMailTurn = async (tx: Database, key: string): Promise<void> => {
  await tx.delete(mailCooldowns).where(eq(mailCooldowns.emailKey, key));
};

/** Adds a registration that waits for its link to be followed. */
export const insertPending = async (
  tx: Database,
  pending: typeof pendingRegistrations.$inferInsert,
): Promise<void> => {
  await tx.insert(pendingRegistrations).values(pending);
};

/** Of an address's registrations that no link was emailed for, keeps the newest `kept`. */
export const prunePending = async (tx: Database, key: string, kept: number): Promise<void> => {
  const surplus = tx
    .select({ id: pendingRegistrations.id })
    .from(pendingRegistrations)
    .where(and(eq(pendingRegistrations.emailKey, key), isNull(pendingRegistrations.tokenHash)))
    .orderBy(desc(pendingRegistrations.createdAt), desc(pendingRegistrations.id))
    .offset(kept)
    .for("update", { skipLocked: true });
  await tx.delete(pendingRegistrations).where(sql`${pendingRegistrations.id} in (${surplus})`);
};

/** The newest registration of an address that still waits, or `null`. */
export const findNewestPending = async (
  tx: Database,
  key: string,
  now: Date,
): Promise<PendingRegistration | null> => {
  const [row] = await newestPendingByKey(tx).execute({ key, now: now.toISOString() });
  return row ?? null;
};

/** The newest registration of an address that still waits and was made in this browser, or `null`. */
export const findPendingOfBrowser = async (
  db: Database,
  { key, browserHash, now }: { key: string; browserHash: string; now: Date },
): Promise<PendingRegistration | null> => {
  const { emailKey, expiresAt, createdAt, id } = pendingRegistrations;
  const [row] = await db
    .select()
    .from(pendingRegistrations)
    .where(and(eq(emailKey, key), eq(pendingRegistrations.browserHash, browserHash), gt(expiresAt, now)))
    .orderBy(desc(createdAt), desc(id))
    .limit(1);
  return row ?? null;
};

/**
 * Gives a registration a new token and a new day to follow it; the older token stays good for the rest of its own.
 * `null` when it is gone.
 */
export const renewPending = async (tx: Database, id: string, tokenHash: string, now: Date) => {
  const [older] = await tx
    .select({ tokenHash: pendingRegistrations.tokenHash, mailedAt: pendingRegistrations.mailedAt })
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.id, id))
    .for("update");
  const dayAfter = (at: Date): Date => new Date(at.getTime() + limits.verificationTokenMs);
  if (older?.tokenHash && older.mailedAt)
    await tx.insert(tokens).values({
      tokenHash: older.tokenHash,
      purpose: "verify",
      registrationId: id,
      expiresAt: dayAfter(older.mailedAt),
      createdAt: older.mailedAt,
    });
  const [row] = await tx
    .update(pendingRegistrations)
    .set({ tokenHash, mailedAt: now, expiresAt: dayAfter(now) })
    .where(eq(pendingRegistrations.id, id))
    .returning();
  return row ?? null;
};

/** The registrations that a token was emailed for and that is still good: one or none. */
const isMailedFor = (db: Database, tokenHash: string, now: Date) =>
  or(
    and(eq(pendingRegistrations.tokenHash, tokenHash), gt(pendingRegistrations.expiresAt, now)),
    inArray(
      pendingRegistrations.id,
      db
        .select({ id: tokens.registrationId })
        .from(tokens)
        .where(and(eq(tokens.tokenHash, tokenHash), eq(tokens.purpose, "verify"), gt(tokens.expiresAt, now))),
    ),
  );

/** The registration that a token was emailed for, or `null` when the token is unknown, used or expired. */
export const findByVerificationToken = async (
  db: Database,
  tokenHash: string,
  now: Date,
): Promise<PendingRegistration | null> => {
  const [row] = await db
    .select()
    .from(pendingRegistrations)
    .where(isMailedFor(db, tokenHash, now));
  return row ?? null;
};

/**
 * Uses a token up: removes every registration of its address with all their tokens, in one statement. False when the token
 * is unknown, used or expired. Of many calls at the same time one gets `true`.
 */
export const takePending = async (tx: Database, tokenHash: string, now: Date): Promise<boolean> => {
  const address = tx
    .select({ key: pendingRegistrations.emailKey })
    .from(pendingRegistrations)
    .where(isMailedFor(tx, tokenHash, now));
  const rows = await tx
    .delete(pendingRegistrations)
    .where(sql`${pendingRegistrations.emailKey} = (${address})`)
    .returning({ id: pendingRegistrations.id });
  return rows.length > 0;
};

/** Puts a new setup token in the place of all older ones. */
export const replaceSetupToken = async (tx: Database, tokenHash: string, now: Date): Promise<void> => {
  await tx.delete(tokens).where(eq(tokens.purpose, "setup"));
  const expiresAt = new Date(now.getTime() + limits.setupTokenMs);
  await tx.insert(tokens).values({ tokenHash, purpose: "setup", expiresAt, createdAt: now });
};

const setupTokenIs = (tokenHash: string, now: Date) =>
  and(
    eq(tokens.tokenHash, tokenHash),
    eq(tokens.purpose, "setup"),
    isNull(tokens.usedAt),
    gt(tokens.expiresAt, now),
  );

/** Whether a setup token could be used now. */
export const isSetupTokenValid = async (db: Database, tokenHash: string, now: Date): Promise<boolean> => {
  const rows = await db.select({ hash: tokens.tokenHash }).from(tokens).where(setupTokenIs(tokenHash, now));
  return rows.length > 0;
};

/** Uses a setup token up while no one has an account. Users cannot be added beside it until the transaction ends. */
export const takeSetupToken = async (tx: Database, tokenHash: string, now: Date): Promise<boolean> => {
  await tx.execute(sql`lock table ${users} in share row exclusive mode`);
  const rows = await tx
    .update(tokens)
    .set({ usedAt: now })
    .where(and(setupTokenIs(tokenHash, now), notExists(tx.select({ id: users.id }).from(users))))
    .returning({ hash: tokens.tokenHash });
  return rows.length > 0;
};

/** Removes what has ended by now: sessions, registrations, tokens, the turns to email, and invitations and changes of addresses a month after they did. */
export const removeExpired = async (db: Database, now: Date): Promise<void> => {
  await db.delete(sessions).where(lte(sessions.expiresAt, now));
  // Rows that someone is working on are left for the next time: waiting for them could end in a deadlock.
  const ended = db
    .select({ id: pendingRegistrations.id })
    .from(pendingRegistrations)
    // Beside an account one that has ended stays for as long as others, or signing in with it would tell of the account.
    .where(and(lte(pendingRegistrations.expiresAt, now), lte(pendingRegistrations.createdAt, dayBefore(now))))
    .for("update", { skipLocked: true });
  await db.delete(pendingRegistrations).where(sql`${pendingRegistrations.id} in (${ended})`);
  await db.delete(tokens).where(lte(tokens.expiresAt, now));
  const listed = new Date(now.getTime() - limits.invitationsKeptMs);
  await db.delete(invitations).where(lte(invitations.expiresAt, listed));
  const reserved = new Date(now.getTime() - limits.emailReservedMs);
  await db
    .delete(emailChanges)
    .where(
      and(
        lte(emailChanges.createdAt, reserved),
        or(isNull(emailChanges.changedAt), lte(emailChanges.changedAt, reserved)),
      ),
    );
  const free = new Date(now.getTime() - limits.mailCooldownMs);
  await db.delete(mailCooldowns).where(lte(mailCooldowns.mailedAt, free));
};
