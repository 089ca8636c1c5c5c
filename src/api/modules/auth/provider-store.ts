import { and, count, eq, lte, ne } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import { identities, tokens, usedOauthStates, users } from "#api/db/schema.ts";
import { holdUser, type UserRow, userColumns } from "#api/db/user-rows.ts";
import { emailKey } from "#contract/account-rules.ts";
import type { ProviderName } from "#contract/users.ts";

/** Who someone is at a provider; `email` is what the provider says of them, proven or not. */
export type Identity = {
  provider: ProviderName;
  issuer: string;
  subject: string;
  email: string | null;
};

/** A person who comes with nothing but an identity and a verified address. */
export type ProviderUser = { id: string; name: string; email: string; identity: Identity; now: Date };

/** Uses a state up. False when it was used before; of many at the same time exactly one gets `true`. */
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

/** The identity of an account at a provider, or `null`. */
export const findIdentity = async (db: Database, userId: string, provider: ProviderName) => {
  const [row] = await db
    .select()
    .from(identities)
    .where(and(eq(identities.userId, userId), eq(identities.provider, provider)));
  return row ?? null;
};

/** The id of the account with the identity, or `null`. It may have lost it by the time that the account is locked. */
export const findOwnerId = async (
  db: Database,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
): Promise<string | null> => {
  const [row] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row?.userId ?? null;
};

/** How many accounts are linked to a provider at other issuers than this one, for each of those. */
export const countOtherIssuers = (db: Database, provider: ProviderName, issuer: string) =>
  db
    .select({ issuer: identities.issuer, accounts: count() })
    .from(identities)
    .where(and(eq(identities.provider, provider), ne(identities.issuer, issuer)))
    .groupBy(identities.issuer);

/** The account with the folded address, locked until the transaction ends, or `null`. */
export const holdHolder = (tx: Database, key: string): Promise<UserRow | null> =>
  holdUser(tx, eq(users.emailKey, key));

/** The account with the id, or `null`. */
export const findAccount = async (db: Database, id: string): Promise<UserRow | null> => {
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return row ?? null;
};

/** The account with the id, locked until the transaction ends, or `null`. */
export const holdAccount = (tx: Database, id: string): Promise<UserRow | null> =>
  holdUser(tx, eq(users.id, id));

/**
 * Adds a verified user without password. Remove the address's registrations first, in the same transaction. Throws
 * `CONFLICT` when the address or the identity has an account by now.
 */
export const insertProviderUser = async (tx: Database, person: ProviderUser): Promise<UserRow> => {
  const { id, name, email, identity, now } = person;
  const rows = await tx
    .insert(users)
    .values({
      id,
      name,
      email,
      emailKey: emailKey(email),
      emailVerifiedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (rows.length === 0) throw metHalfway();
  return linkIdentity(tx, id, identity, now);
};

/** Gives an account, whose row is held, the identity. Throws `CONFLICT` when an account has it already. */
export const linkIdentity = async (
  tx: Database,
  userId: string,
  identity: Identity,
  now: Date,
): Promise<UserRow> => {
  const rows = await tx
    .insert(identities)
    .values({ id: newId(), userId, ...identity, linkedAt: now })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  if (rows.length === 0) throw metHalfway();
  return updated(tx, userId, { updatedAt: now });
};

/** Notes that an account was signed in to with its identity, and what the provider says of the person now. */
export const touchIdentity = async (tx: Database, identity: Identity, now: Date): Promise<void> => {
  const { issuer, subject, email } = identity;
  await tx
    .update(identities)
    .set({ lastUsedAt: now, ...(email === null ? {} : { email }) })
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
};

/**
 * Hands an account whose address was never proven to the address's real owner: nothing that someone else may have put
 * there lets anyone in any more, but for its sessions and known browsers, which are not kept here.
 */
export const handOver = async (tx: Database, id: string, owner: ProviderUser): Promise<UserRow> => {
  const { name, email, identity, now } = owner;
  await tx.delete(tokens).where(eq(tokens.userId, id));
  await tx.delete(identities).where(eq(identities.userId, id));
  await updated(tx, id, { name, email, emailVerifiedAt: now, passwordHash: null });
  return linkIdentity(tx, id, identity, now);
};

const updated = async (
  tx: Database,
  id: string,
  values: Partial<typeof users.$inferInsert>,
): Promise<UserRow> => {
  const [row] = await tx.update(users).set(values).where(eq(users.id, id)).returning(userColumns);
  if (!row) throw metHalfway();
  return row;
};

/** The failure of who comes at the moment at which others change the account: the next try sees it as it is then. */
export const metHalfway = (): AppError =>
  new AppError("CONFLICT", undefined, { cause: "another account has the email address or the identity" });
