import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import {
  type Counted,
  countFound,
  directed,
  holds,
  readKindCounts,
  sumKindCounts,
} from "#api/db/long-lists.ts";
import { prepared } from "#api/db/prepared.ts";
import { mails } from "#api/db/schema.ts";
import type { MailStatus } from "#contract/mail.ts";
import type { Mail, MailList } from "./contract.ts";

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

/** Which emails are wanted; an empty `search` wants all. */
type MailFilter = { search: string; status?: MailStatus };

/** A page of the outbox, newest first, behind the email `before`, how many match, and how many there are of each status. */
export const selectMails = async (
  db: Database,
  { limit, before, ...filter }: MailFilter & { limit: number; before: string | null },
): Promise<Counted & { mails: Mail[]; counts: MailList["counts"] }> => {
  const wanted = matching(filter);
  const behind =
    before === null
      ? undefined
      : sql`(${mails.createdAt}, ${mails.id}) < (select created_at, id from mails where id = ${before})`;
  const rows = await db
    .select(columns)
    .from(mails)
    .where(and(wanted, behind))
    .orderBy(directed(mails.createdAt, "desc"), directed(mails.id, "desc"))
    .limit(limit);
  const counts = await countByStatus(db);
  const { status } = filter;
  const total = status === undefined ? counts.waiting + counts.sent + counts.dead : counts[status];
  const counted =
    filter.search === "" ? { total, totalIsEstimate: false } : await countFound(db, mails, wanted);
  return { mails: rows.map(toMail), ...counted, counts };
};

/** How many emails there are of each status. */
export const countByStatus = async (db: Database): Promise<MailList["counts"]> => {
  const kindCounts = await readKindCounts(db, "mails");
  const rowsOf = (wanted: MailStatus) => sumKindCounts(kindCounts, (status) => status === wanted);
  return { waiting: rowsOf("waiting"), sent: rowsOf("sent"), dead: rowsOf("dead") };
};

/** The email, or `null`. */
export const findMail = async (db: Database, id: string): Promise<Mail | null> => {
  const [row] = await db.select(columns).from(mails).where(eq(mails.id, id));
  return row ? toMail(row) : null;
};

/** The email as it is now, held until the transaction ends, and whether someone is sending it; or `null`. */
export const holdMail = async (
  tx: Database,
  id: string,
  now: Date,
): Promise<(Mail & { isUnderWay: boolean }) | null> => {
  const [row] = await tx
    .select({ ...columns, isUnderWay: sql<boolean>`coalesce(${gt(mails.leasedUntil, now)}, false)` })
    .from(mails)
    .where(eq(mails.id, id))
    .for("update");
  return row ? { ...toMail(row), isUnderWay: row.isUnderWay } : null;
};

/** Makes an email that is held due at once. Whoever is sending it meanwhile continues. */
export const makeDue = async (tx: Database, id: string, now: Date): Promise<Mail> => {
  const [row] = await tx
    .update(mails)
    .set({ status: "waiting", nextAttemptAt: now })
    .where(eq(mails.id, id))
    .returning(columns);
  if (row === undefined) throw new Error("the email disappeared although it was locked");
  return toMail(row);
};

/** Makes all dead emails that still have their content due immediately; resolves to how many. */
export const makeAllDue = async (tx: Database, now: Date): Promise<number> => {
  const rows = await tx
    .update(mails)
    .set({ status: "waiting", nextAttemptAt: now })
    .where(and(eq(mails.status, "dead"), isNotNull(mails.content)))
    .returning({ id: mails.id });
  return rows.length;
};

/** Gives an email up that is held, and wipes its text. */
export const wipeMail = async (tx: Database, id: string, lastError: string): Promise<Mail> => {
  const [row] = await tx
    .update(mails)
    .set({ status: "dead", content: null, leasedUntil: null, lastError })
    .where(eq(mails.id, id))
    .returning(columns);
  if (row === undefined) throw new Error("the email disappeared although it was locked");
  return toMail(row);
};

// Never the content itself: what no one may read is not even loaded.
const columns = {
  id: mails.id,
  recipient: mails.recipient,
  subject: mails.subject,
  status: mails.status,
  attempts: mails.attempts,
  lastError: mails.lastError,
  nextAttemptAt: mails.nextAttemptAt,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
  hasText: sql<boolean>`${mails.content} is not null`,
};

type SelectedMail = Pick<
  typeof mails.$inferSelect,
  | "id"
  | "recipient"
  | "subject"
  | "status"
  | "attempts"
  | "lastError"
  | "nextAttemptAt"
  | "createdAt"
  | "sentAt"
> & { hasText: boolean };

const matching = ({ search, status }: MailFilter): SQL | undefined =>
  and(
    search === "" ? undefined : holds("mails", search),
    status === undefined ? undefined : eq(mails.status, status),
  );

const toMail = ({
  id,
  recipient,
  subject,
  status,
  attempts,
  lastError,
  nextAttemptAt,
  createdAt,
  sentAt,
  hasText,
}: SelectedMail): Mail => ({
  id,
  recipient,
  subject,
  status,
  attempts,
  lastError,
  nextAttemptAt: status === "waiting" ? nextAttemptAt.toISOString() : null,
  createdAt: createdAt.toISOString(),
  sentAt: sentAt?.toISOString() ?? null,
  canRetry: hasText && status !== "sent",
});
