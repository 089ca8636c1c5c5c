import { and, count, eq, gt, gte, inArray, isNotNull, lte, ne, sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId } from "#api/core/ids.ts";
import type { KnownProvider } from "#api/core/password-policy.ts";
import { identities, settings, tokens, usedOauthStates, users } from "#api/db/schema.ts";
import { holdUser, type UserRow, userColumns } from "#api/db/user-rows.ts";
import { isReserved } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";

/** Who someone is at a provider; `email` is what the provider says of them, proven or not. */
export type Identity = {
  provider: string;
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

/** Whom or what a provider ended: all sessions of its user, or its own session where it doesn't say whose that is. */
type Ended = { provider: string; subject: string | null; sessionId: string | null };

/** Under what the end of a provider's sessions is kept. */
export const endedKey = ({ provider, subject, sessionId }: Ended): string =>
  hashToken(JSON.stringify(["ended", provider, subject, subject === null ? sessionId : null]));

/** Keeps until `until` that a provider's sessions have ended. */
export const rememberEnd = async (tx: Database, key: string, until: Date): Promise<void> => {
  await tx
    .insert(usedOauthStates)
    .values({ stateHash: key, expiresAt: until })
    .onConflictDoUpdate({ target: usedOauthStates.stateHash, set: { expiresAt: until } });
};

/** Whether an end is kept under one of the keys until `until` at the least. */
export const hasEnded = async (tx: Database, keys: string[], until: Date): Promise<boolean> => {
  const { stateHash, expiresAt } = usedOauthStates;
  const rows = await tx
    .select({ stateHash })
    .from(usedOauthStates)
    .where(and(inArray(stateHash, keys), gte(expiresAt, until)));
  return rows.length > 0;
};

/** Forgets the states that could not be used any more anyway. */
export const removeExpiredStates = async (db: Database, now: Date): Promise<void> => {
  await db.delete(usedOauthStates).where(lte(usedOauthStates.expiresAt, now));
};

const ofUser = (userId: string, provider: string) =>
  and(eq(identities.userId, userId), eq(identities.provider, provider));

/** The identity of an account at a provider, or `null`. */
export const findIdentity = async (db: Database, userId: string, provider: string) => {
  const [row] = await db.select().from(identities).where(ofUser(userId, provider));
  return row ?? null;
};

/** The linked providers at which a user gave a second factor when they last signed in there. */
export const findProvidersOfFactors = (db: Database, userId: string): Promise<KnownProvider[]> =>
  db
    .select({ provider: identities.provider, issuer: identities.issuer })
    .from(identities)
    .where(and(eq(identities.userId, userId), isNotNull(identities.factorAt)));

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
export const countOtherIssuers = (db: Database, provider: string, issuer: string) =>
  db
    .select({ issuer: identities.issuer, accounts: count() })
    .from(identities)
    .where(and(eq(identities.provider, provider), ne(identities.issuer, issuer)))
    .groupBy(identities.issuer);

/** Whether a provider has users, or is switched off in the settings. */
export const wasOffered = async (db: Database, provider: string): Promise<boolean> => {
  const [row] = await db.execute<{ isKnown: boolean }>(sql`
    select exists (select from ${identities} where ${identities.provider} = ${provider})
      or exists (
        select from ${settings} where ${settings.section} = 'providers' and jsonb_exists(${settings.value}, ${provider})
      ) as "isKnown"`);
  return row?.isKnown === true;
};

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
 * Adds a verified user of that role without password. Remove the address's registrations first, in the same transaction. Throws
 * `CONFLICT` when the address or the identity has an account by now.
 */
export const insertProviderUser = async (
  tx: Database,
  person: ProviderUser & Pick<UserRow, "role" | "factorRequiredFrom">,
): Promise<UserRow> => {
  const { id, name, email, role, factorRequiredFrom, identity, now } = person;
  const rows = await tx
    .insert(users)
    .values({
      id,
      name,
      email,
      emailKey: emailKey(email),
      role,
      factorRequiredFrom,
      emailVerifiedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (rows.length === 0 || (await isReserved(tx, { key: emailKey(email), userId: id, now })))
    throw metHalfway();
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

/** Gives the identity of an account at a provider the token of an email that undoes it, by its hash. */
export const keepLinkUndo = async (
  tx: Database,
  { userId, provider, undoHash }: { userId: string; provider: string; undoHash: string },
): Promise<void> => {
  await tx.update(identities).set({ undoHash }).where(ofUser(userId, provider));
};

/** The identity that the email with this token was about, if it was linked after `since`; `null` without one. */
export const findLinkUndo = async (db: Database, undoHash: string, since: Date) => {
  const [row] = await db
    .select()
    .from(identities)
    .where(and(eq(identities.undoHash, undoHash), gt(identities.linkedAt, since)));
  return row ?? null;
};

/** Removes the identity of an account, whose row is held, at a provider. */
export const removeLink = async (tx: Database, userId: string, provider: string, now: Date) => {
  await tx.delete(identities).where(ofUser(userId, provider));
  return updated(tx, userId, { updatedAt: now });
};

/** Notes that an account was signed in to with its identity, with a second factor or not, and what the provider says of the person now. */
export const touchIdentity = async (
  tx: Database,
  { issuer, subject, email, hasFactor, now }: Identity & { hasFactor: boolean; now: Date },
): Promise<void> => {
  await tx
    .update(identities)
    .set({ lastUsedAt: now, factorAt: hasFactor ? now : null, ...(email === null ? {} : { email }) })
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
