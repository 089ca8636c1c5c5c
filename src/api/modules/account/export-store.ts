import { and, asc, eq, gt, isNull, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "#api/core/database.ts";
import {
  apiTokens,
  contactMessages,
  identities,
  knownDevices,
  mails,
  sessions,
  signInFailures,
  tokens,
  users,
} from "#api/db/schema.ts";
import { personalData } from "./personal-data-store.ts";

/** The rows of a list in the order of their ids, a bounded number at a time. */
export type Pages<Row> = AsyncGenerator<Row[], void, undefined>;

// Some hundred kilobytes at most, whatever people wrote.
const rowsAtATime = 100;

/** Signed-in browsers, without the hash that stands for their cookie. */
export const sessionPages = (db: Database, userId: string) =>
  pagesOf((after) =>
    db
      .select(personalData.sessions.exported)
      .from(sessions)
      .where(and(eq(sessions.userId, userId), behind(sessions.id, after)))
      .orderBy(asc(sessions.id))
      .limit(rowsAtATime),
  );

/** API tokens that act for the person, without the hash that stands for each. */
export const apiTokenPages = (db: Database, userId: string) =>
  pagesOf((after) =>
    db
      .select(personalData.apiTokens.exported)
      .from(apiTokens)
      .where(and(eq(apiTokens.createdBy, userId), behind(apiTokens.id, after)))
      .orderBy(asc(apiTokens.id))
      .limit(rowsAtATime),
  );

/** What the person wrote through the contact form while signed in. */
export const contactMessagePages = (db: Database, userId: string) =>
  pagesOf((after) =>
    db
      .select(personalData.contactMessages.exported)
      .from(contactMessages)
      .where(and(eq(contactMessages.userId, userId), behind(contactMessages.id, after)))
      .orderBy(asc(contactMessages.id))
      .limit(rowsAtATime),
  );

/** The mails to an address that the outbox still knows of; what they said is not told, it may hold links. */
export const mailPages = (db: Database, recipient: string) =>
  pagesOf((after) =>
    db
      .select(personalData.mails.exported)
      .from(mails)
      .where(and(eq(mails.recipient, recipient), behind(mails.id, after)))
      .orderBy(asc(mails.id))
      .limit(rowsAtATime),
  );

/** When each known browser was first and last signed in with. */
export const findDeviceDates = (db: Database, userId: string) =>
  db
    .select(personalData.knownDevices.exported)
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(asc(knownDevices.createdAt));

/** The dates of links that were mailed to the person and that the database still knows of. */
export const findLinkDates = (db: Database, userId: string) =>
  db
    .select(personalData.tokens.exported)
    .from(tokens)
    .where(eq(tokens.userId, userId))
    .orderBy(asc(tokens.createdAt));

/** The account itself, or `null` when it is gone or disabled. */
export const findProfile = async (db: Database, id: string) => {
  const [row] = await db
    .select(personalData.users.exported)
    .from(users)
    .where(and(eq(users.id, id), isNull(users.disabledAt)));
  return row ?? null;
};

/** Who the person is at each provider that opens the account. */
export const findIdentities = (db: Database, userId: string) =>
  db
    .select(personalData.identities.exported)
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.provider));

/** The wrong passwords in a row that were counted for an address, or `null`. */
export const findSignInFailures = async (db: Database, emailKey: string) => {
  const [row] = await db
    .select(personalData.signInFailures.exported)
    .from(signInFailures)
    .where(eq(signInFailures.emailKey, emailKey));
  if (!row) return null;
  const { failures: inARow, ...more } = row;
  return { inARow, ...more };
};

const behind = (id: PgColumn, after: string | null): SQL | undefined =>
  after === null ? undefined : gt(id, after);

async function* pagesOf<Row extends { id: string }>(
  read: (after: string | null) => PromiseLike<Row[]>,
): Pages<Row> {
  let last: Row | undefined;
  do {
    const rows: Row[] = await read(last?.id ?? null);
    yield rows;
    last = rows.length < rowsAtATime ? undefined : rows.at(-1);
  } while (last);
}
