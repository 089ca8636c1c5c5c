import { and, asc, eq, inArray, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { prepared } from "#api/db/prepared.ts";
import { mails } from "#api/db/schema.ts";

/** A row that this worker may send until the lease ends. */
export type LeasedMail = {
  id: string;
  content: Uint8Array | null;
  attempts: number;
  createdAt: Date;
  /** The lease, to be named when the row is written: another worker's must not be touched. */
  leasedUntil: Date | null;
};

/** A row and the lease under which it is written. */
export type Lease = Pick<LeasedMail, "id" | "leasedUntil">;

const given = (name: string): SQL => sql`${sql.placeholder(name)}`;

const leaseQuery = prepared((db) => {
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.status, sql.raw("'waiting'")),
        lte(mails.nextAttemptAt, given("now")),
        or(isNull(mails.leasedUntil), lte(mails.leasedUntil, given("now"))),
      ),
    )
    .orderBy(asc(mails.nextAttemptAt))
    .limit(1)
    .for("update", { skipLocked: true });
  return db
    .update(mails)
    .set({ leasedUntil: given("until") })
    .where(eq(mails.id, sql`(${due})`))
    .returning({
      id: mails.id,
      content: mails.content,
      attempts: mails.attempts,
      createdAt: mails.createdAt,
      leasedUntil: mails.leasedUntil,
    })
    .prepare("mail_lease");
});

const countQuery = prepared((db) =>
  db
    .select({
      waiting: sql<number>`(count(*) filter (where ${mails.status} = 'waiting'))::int`,
      dead: sql<number>`(count(*) filter (where ${mails.status} = 'dead'))::int`,
    })
    .from(mails)
    .where(inArray(mails.status, ["waiting", "dead"]))
    .prepare("mail_counts"),
);

const oldestQuery = prepared((db) =>
  db
    .select({ createdAt: mails.createdAt })
    .from(mails)
    .where(eq(mails.status, sql.raw("'waiting'")))
    .orderBy(asc(mails.createdAt))
    .limit(1)
    .prepare("mail_oldest"),
);

/** Adds an email, in the caller's transaction. */
export const insertMail = async (tx: Database, row: typeof mails.$inferInsert): Promise<void> => {
  await tx.insert(mails).values(row);
};

/** Takes the email that is due longest and that no one else holds, and keeps others off it until `until`. */
export const leaseMail = async (db: Database, now: Date, until: Date): Promise<LeasedMail | null> => {
  const [mail] = await leaseQuery(db).execute({ now: now.toISOString(), until: until.toISOString() });
  return mail ?? null;
};

/** Notes that an email left and forgets its text. Whoever holds the lease by now: it must not be sent again. */
export const markSent = async (db: Database, id: string, now: Date): Promise<void> => {
  await db
    .update(mails)
    .set({
      status: "sent",
      sentAt: now,
      content: null,
      leasedUntil: null,
      lastError: null,
      ...oneMoreAttempt,
    })
    .where(and(eq(mails.id, id), ne(mails.status, "sent")));
};

/** Notes a failed try and when the next one is due. */
export const postponeMail = (db: Database, lease: Lease, lastError: string, nextAttemptAt: Date) =>
  writeLeased(db, lease, { lastError, nextAttemptAt, ...oneMoreAttempt });

/** Gives an email up. Its text stays, sealed, until the row is swept. */
export const buryMail = (db: Database, lease: Lease, lastError: string) =>
  writeLeased(db, lease, { status: "dead", lastError, ...oneMoreAttempt });

/** Hands an email back as if it had not been tried. */
export const releaseMail = (db: Database, lease: Lease) => writeLeased(db, lease, {});

/** How many emails wait and how many were given up. */
export const countMails = async (db: Database): Promise<{ waiting: number; dead: number }> => {
  const [counts] = await countQuery(db).execute();
  return counts ?? { waiting: 0, dead: 0 };
};

/** When the email was written that waits longest; `null` when none waits. */
export const findOldestWaiting = async (db: Database): Promise<Date | null> => {
  const [oldest] = await oldestQuery(db).execute();
  return oldest?.createdAt ?? null;
};

/** Deletes the rows, sent or given up, of emails from before `before`. */
export const sweepMails = async (db: Database, before: Date): Promise<void> => {
  await db.delete(mails).where(and(ne(mails.status, "waiting"), lt(mails.createdAt, before)));
};

const oneMoreAttempt = { attempts: sql`${mails.attempts} + 1` };

const writeLeased = async (
  db: Database,
  { id, leasedUntil }: Lease,
  change: Partial<Omit<typeof mails.$inferInsert, "attempts">> & { attempts?: SQL },
): Promise<void> => {
  const isMine = leasedUntil === null ? isNull(mails.leasedUntil) : eq(mails.leasedUntil, leasedUntil);
  await db
    .update(mails)
    .set({ ...change, leasedUntil: null })
    .where(and(eq(mails.id, id), eq(mails.status, "waiting"), isMine));
};
