import { and, eq, getTableColumns, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { countFound, directed, holds, nearerEnd, readKindCounts, sumKindCounts } from "#api/db/long-lists.ts";
import { contactMessages, users } from "#api/db/schema.ts";
import type { ContactMessage, ListMessagesInput } from "./contract.ts";

type MessageRow = typeof contactMessages.$inferSelect;

/** A message that is to be stored. */
export type NewMessage = Omit<MessageRow, "readAt" | "handledAt">;

/** Which messages are wanted; an empty `search` wants all. */
export type MessageFilter = Pick<ListMessagesInput, "search" | "subject" | "status">;

/** Where a list continues: behind this message. */
export type MessagePlace = { id: string; createdAt: Date };

/**
 * Stores a message unless its key is taken, by a call under way as well: then it waits for the outcome of that. Gives
 * the id and the content's hash of the message that has the key.
 */
export const insertMessage = async (
  tx: Database,
  message: NewMessage,
): Promise<{ id: string; contentHash: string }> => {
  const [row] = await tx
    .insert(contactMessages)
    .values(message)
    // Changes nothing, but gives the row that is there.
    .onConflictDoUpdate({
      target: contactMessages.idempotencyKey,
      set: { contentHash: sql`${contactMessages.contentHash}` },
    })
    .returning({ id: contactMessages.id, contentHash: contactMessages.contentHash });
  if (row === undefined) throw new Error("the message was neither stored nor found");
  return row;
};

/** The writer's id, their account kept from being deleted until the transaction ends; `null` when it is gone. */
export const holdWriter = async (tx: Database, userId: string | null): Promise<string | null> => {
  if (userId === null) return null;
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("key share");
  return row?.id ?? null;
};

/** Takes a key away from a message that is `since` old or older, so that another can have it. */
export const releaseKey = async (tx: Database, key: string, since: Date): Promise<void> => {
  await tx
    .update(contactMessages)
    // An id is no hash: no one can send a key that is stored as this.
    .set({ idempotencyKey: sql`${contactMessages.id}::text` })
    .where(and(eq(contactMessages.idempotencyKey, key), lte(contactMessages.createdAt, since)));
};

const inOrder = (order: "asc" | "desc"): SQL[] =>
  [contactMessages.createdAt, contactMessages.id].map((column) => directed(column, order));

/** One page of the messages, newest first, how many match, and how many of all are open and unread. */
export const selectMessages = async (
  db: Database,
  { limit, offset, ...filter }: MessageFilter & { limit: number; offset: number },
) => {
  const wanted = matching(filter);
  const { search, subject, status } = filter;
  const kindCounts = await readKindCounts(db, "contact_messages");
  const rowsOf = (isWanted: (...kind: string[]) => boolean) => sumKindCounts(kindCounts, isWanted);
  const counted =
    search === ""
      ? {
          total: rowsOf((about, state) => (subject ?? about) === about && (status ?? state) === state),
          totalIsEstimate: false,
        }
      : await countFound(db, contactMessages, wanted);
  const near = nearerEnd({ limit, offset }, counted);
  // Found by an index alone, whatever lies before it; only then are its rows read.
  const page = db
    .select({ id: contactMessages.id })
    .from(contactMessages)
    .where(wanted)
    .orderBy(...(near.isFromEnd ? inOrder("asc") : inOrder("desc")))
    .limit(near.limit)
    .offset(near.offset)
    .as("page");
  const rows = await db
    .select(getTableColumns(contactMessages))
    .from(contactMessages)
    .innerJoin(page, eq(contactMessages.id, page.id))
    .orderBy(...inOrder("desc"));
  return {
    messages: rows.map(toMessage),
    ...counted,
    counts: {
      open: rowsOf((_, state) => state === "open"),
      unread: rowsOf((_, __, reading) => reading === "unread"),
    },
  };
};

/** The next messages behind a place, newest first; `null` begins. Rows that arrive meanwhile move nothing. */
export const selectMessagesBehind = async (
  db: Database,
  filter: MessageFilter,
  { place, limit }: { place: MessagePlace | null; limit: number },
): Promise<ContactMessage[]> => {
  const { createdAt, id } = contactMessages;
  const behind =
    place === null
      ? undefined
      : sql`(${createdAt}, ${id}) < (${sql.param(place.createdAt, createdAt)}, ${sql.param(place.id, id)})`;
  const rows = await db
    .select()
    .from(contactMessages)
    .where(and(matching(filter), behind))
    .orderBy(...inOrder("desc"))
    .limit(limit);
  return rows.map(toMessage);
};

/** The message, or `null`. */
export const findMessage = async (db: Database, id: string): Promise<ContactMessage | null> => {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, id));
  return row ? toMessage(row) : null;
};

/** The message as it is now, held until the transaction ends, or `null`. */
export const holdMessage = async (tx: Database, id: string): Promise<ContactMessage | null> => {
  const [row] = await tx.select().from(contactMessages).where(eq(contactMessages.id, id)).for("update");
  return row ? toMessage(row) : null;
};

/** Notes when a message was first read; one that was read before keeps its time. */
export const markRead = async (db: Database, id: string, now: Date): Promise<void> => {
  await db
    .update(contactMessages)
    .set({ readAt: now })
    .where(and(eq(contactMessages.id, id), isNull(contactMessages.readAt)));
};

/** Closes a message that is held, which counts as read from then on, or opens it again. */
export const updateHandled = async (
  tx: Database,
  id: string,
  { isHandled, now }: { isHandled: boolean; now: Date },
): Promise<ContactMessage> => {
  const first = (column: typeof contactMessages.readAt | typeof contactMessages.handledAt) =>
    sql`coalesce(${column}, ${sql.param(now, column)})`;
  const [row] = await tx
    .update(contactMessages)
    .set({
      handledAt: isHandled ? first(contactMessages.handledAt) : null,
      readAt: first(contactMessages.readAt),
    })
    .where(eq(contactMessages.id, id))
    .returning();
  if (row === undefined) throw new Error("the message disappeared although it was locked");
  return toMessage(row);
};

/** Removes a message permanently; gives what it was, or `null`. */
export const removeMessage = async (tx: Database, id: string): Promise<ContactMessage | null> => {
  const [row] = await tx.delete(contactMessages).where(eq(contactMessages.id, id)).returning();
  return row ? toMessage(row) : null;
};

const matching = ({ search, subject, status }: MessageFilter): SQL | undefined => {
  const { handledAt } = contactMessages;
  return and(
    search === "" ? undefined : holds("contact_messages", search),
    subject === undefined ? undefined : eq(contactMessages.subject, subject),
    status === "open" ? isNull(handledAt) : undefined,
    status === "handled" ? isNotNull(handledAt) : undefined,
  );
};

const toMessage = ({ idempotencyKey: _key, contentHash: _hash, ...row }: MessageRow): ContactMessage => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  readAt: row.readAt?.toISOString() ?? null,
  handledAt: row.handledAt?.toISOString() ?? null,
});
