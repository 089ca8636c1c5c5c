import { and, asc, eq, gt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "#api/db/database.ts";
import {
  apiTokens,
  contactMessages,
  knownDevices,
  mails,
  sessions,
  signInFailures,
  tokens,
} from "#api/db/schema.ts";

/** The rows of a list in the order of their ids, a bounded number at a time. */
export type Pages<Row> = AsyncGenerator<Row[], void, undefined>;

// Some hundred kilobytes at most, whatever people wrote.
const rowsAtATime = 100;

/** Signed-in browsers, without the hash that stands for their cookie. */
export const sessionPages = (db: Database, userId: string) =>
  pagesOf((after) =>
    db
      .select({
        id: sessions.id,
        ip: sessions.ip,
        userAgent: sessions.userAgent,
        createdAt: sessions.createdAt,
        lastUsedAt: sessions.lastUsedAt,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), behind(sessions.id, after)))
      .orderBy(asc(sessions.id))
      .limit(rowsAtATime),
  );

/** API tokens that act for the person, without the hash that stands for each. */
export const apiTokenPages = (db: Database, userId: string) =>
  pagesOf((after) =>
    db
      .select({
        id: apiTokens.id,
        name: apiTokens.name,
        scopes: apiTokens.scopes,
        allowedNetworks: apiTokens.allowedNetworks,
        callsPerMinute: apiTokens.callsPerMinute,
        createdAt: apiTokens.createdAt,
        expiresAt: apiTokens.expiresAt,
        lastUsedAt: apiTokens.lastUsedAt,
        lastUsedIp: apiTokens.lastUsedIp,
        revokedAt: apiTokens.revokedAt,
      })
      .from(apiTokens)
      .where(and(eq(apiTokens.createdBy, userId), behind(apiTokens.id, after)))
      .orderBy(asc(apiTokens.id))
      .limit(rowsAtATime),
  );

/** What the person wrote through the contact form while signed in. */
export const contactMessagePages = (db: Database, userId: string) =>
  pagesOf((after) =>
    db
      .select({
        id: contactMessages.id,
        name: contactMessages.name,
        email: contactMessages.email,
        subject: contactMessages.subject,
        message: contactMessages.message,
        ip: contactMessages.ip,
        userAgent: contactMessages.userAgent,
        createdAt: contactMessages.createdAt,
        readAt: contactMessages.readAt,
        handledAt: contactMessages.handledAt,
      })
      .from(contactMessages)
      .where(and(eq(contactMessages.userId, userId), behind(contactMessages.id, after)))
      .orderBy(asc(contactMessages.id))
      .limit(rowsAtATime),
  );

/** The mails to an address that the outbox still knows of; what they said is not told, it may hold links. */
export const mailPages = (db: Database, recipient: string) =>
  pagesOf((after) =>
    db
      .select({
        id: mails.id,
        subject: mails.subject,
        status: mails.status,
        createdAt: mails.createdAt,
        sentAt: mails.sentAt,
      })
      .from(mails)
      .where(and(eq(mails.recipient, recipient), behind(mails.id, after)))
      .orderBy(asc(mails.id))
      .limit(rowsAtATime),
  );

/** When each known browser was first and last signed in with. */
export const findDeviceDates = (db: Database, userId: string) =>
  db
    .select({ createdAt: knownDevices.createdAt, lastUsedAt: knownDevices.lastUsedAt })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(asc(knownDevices.createdAt));

/** The dates of links that were mailed to the person and that the database still knows of. */
export const findLinkDates = (db: Database, userId: string) =>
  db
    .select({
      purpose: tokens.purpose,
      createdAt: tokens.createdAt,
      expiresAt: tokens.expiresAt,
      usedAt: tokens.usedAt,
    })
    .from(tokens)
    .where(eq(tokens.userId, userId))
    .orderBy(asc(tokens.createdAt));

/** The wrong passwords in a row that were counted for an address, or `null`. */
export const findSignInFailures = async (db: Database, emailKey: string) => {
  const [row] = await db
    .select({ inARow: signInFailures.failures, lastFailedAt: signInFailures.lastFailedAt })
    .from(signInFailures)
    .where(eq(signInFailures.emailKey, emailKey));
  return row ?? null;
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
