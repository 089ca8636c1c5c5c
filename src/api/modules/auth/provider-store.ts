import { eq, lte } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/db/database.ts";
import { isUniqueViolation } from "#api/db/errors.ts";
import { tokens, usedOauthStates, users } from "#api/db/schema.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { type ProviderName, providerIdFields } from "#contract/users.ts";

/** Who somebody is at a provider. */
export type Identity = { provider: ProviderName; subject: string };

/** A person who comes with nothing but an identity and a verified address. */
export type ProviderUser = Identity & { id: string; name: string; email: string; now: Date };

/** The identity of an account at a provider, or `null`. */
export const subjectOf = (row: UserRow, provider: ProviderName): string | null =>
  row[providerIdFields[provider]];

/** Uses a state up. False when it was used before; of many at once exactly one gets `true`. */
export const takeState = async (db: Database, stateHash: string, expiresAt: Date): Promise<boolean> => {
  const rows = await db
    .insert(usedOauthStates)
    .values({ stateHash, expiresAt })
    .onConflictDoNothing()
    .returning({ hash: usedOauthStates.stateHash });
  return rows.length > 0;
};

/** Forgets the states that could not be used any more anyway. */
export const removeExpiredStates = async (db: Database, now: Date): Promise<void> => {
  await db.delete(usedOauthStates).where(lte(usedOauthStates.expiresAt, now));
};

/** The account with the identity, locked until the transaction ends, or `null`. */
export const holdOwner = async (tx: Database, { provider, subject }: Identity): Promise<UserRow | null> => {
  const rows = await tx
    .select()
    .from(users)
    .where(eq(users[providerIdFields[provider]], subject))
    .for("no key update");
  return rows[0] ?? null;
};

/** The account with the folded address, locked until the transaction ends, or `null`. */
export const holdHolder = async (tx: Database, key: string): Promise<UserRow | null> => {
  const rows = await tx.select().from(users).where(eq(users.emailKey, key)).for("no key update");
  return rows[0] ?? null;
};

/** The account with the id, locked until the transaction ends, or `null`. */
export const holdAccount = async (tx: Database, id: string): Promise<UserRow | null> => {
  const rows = await tx.select().from(users).where(eq(users.id, id)).for("no key update");
  return rows[0] ?? null;
};

/**
 * Adds a verified user without password. Remove the address's registrations first, in the same transaction. Throws
 * `CONFLICT` when somebody with the address or the identity came in between.
 */
export const insertProviderUser = async (tx: Database, person: ProviderUser): Promise<UserRow> => {
  const { id, name, email, provider, subject, now } = person;
  const [row] = await tx
    .insert(users)
    .values({
      id,
      name,
      email,
      emailKey: emailKey(email),
      emailVerifiedAt: now,
      [providerIdFields[provider]]: subject,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) throw metHalfway();
  return row;
};

/** Gives an account the identity. Throws `CONFLICT` when another account has it. */
export const linkIdentity = async (
  tx: Database,
  id: string,
  { provider, subject }: Identity,
  now: Date,
): Promise<UserRow> => updated(tx, id, { [providerIdFields[provider]]: subject, updatedAt: now });

/**
 * Hands an account whose address was never proven to the address's real owner: nothing that somebody else may have put
 * there lets anybody in any more, but for its sessions and known browsers, which are not kept here.
 */
export const handOver = async (tx: Database, id: string, owner: ProviderUser): Promise<UserRow> => {
  const { name, email, provider, subject, now } = owner;
  await tx.delete(tokens).where(eq(tokens.userId, id));
  return updated(tx, id, {
    name,
    email,
    emailVerifiedAt: now,
    passwordHash: null,
    googleId: null,
    githubId: null,
    [providerIdFields[provider]]: subject,
    updatedAt: now,
  });
};

const updated = async (tx: Database, id: string, values: Partial<UserRow>): Promise<UserRow> => {
  try {
    const [row] = await tx.update(users).set(values).where(eq(users.id, id)).returning();
    if (row) return row;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  throw metHalfway();
};

const metHalfway = (): AppError =>
  new AppError("CONFLICT", undefined, { cause: "another account has the address or the identity" });
