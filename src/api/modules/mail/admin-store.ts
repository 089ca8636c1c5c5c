import { and, eq, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import {
  type Counted,
  countFound,
  directed,
  holds,
  readKindCounts,
  sumKindCounts,
} from "#api/db/long-lists.ts";
import { mails } from "#api/db/schema.ts";
import type { MailStatus } from "#contract/mail.ts";
import type { Mail, MailList } from "./contract.ts";

/** Which emails are wanted; an empty `search` wants all. */
export type MailFilter = { search: string; status?: MailStatus };

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
