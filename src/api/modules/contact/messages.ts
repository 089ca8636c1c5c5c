import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { csvRecord } from "#api/core/csv.ts";
import { describeError, loggedPieces } from "#api/core/describe-error.ts";
import { isId } from "#api/core/ids.ts";
import type { Download } from "#api/modules/download.ts";
import { contactTexts, messageFieldNames } from "#contract/contact-rules.ts";
import { limits } from "#contract/limits.ts";
import type { ContactMessage, ExportMessagesInput, ListMessagesInput, MessageList } from "./contract.ts";
import {
  findMessage,
  holdMessage,
  type MessageFilter,
  markRead,
  removeMessage,
  selectMessages,
  selectMessagesBehind,
  updateHandled,
} from "./store.ts";

/** Messages whose writer or text holds `search`, newest first. For admins and the operator. */
export const listMessages = async (ctx: Context, input: ListMessagesInput): Promise<MessageList> => {
  requireAdmin(ctx);
  const { limit, offset } = input;
  const wanted = { ...input, search: input.search.trim() };
  const { total, totalIsEstimate, ...page } = await selectMessages(ctx.db, wanted);
  return { ...page, pagination: { total, totalIsEstimate, limit, offset } };
};

/** One message, which counts as read from then on. For admins and the operator. Throws `NOT_FOUND`. */
export const getMessage = async (ctx: Context, input: { id: string }): Promise<ContactMessage> => {
  requireAdmin(ctx);
  const message = await findMessage(ctx.db, messageId(input.id));
  if (message === null) throw unknownMessage();
  if (message.readAt !== null) return message;
  const now = ctx.clock.now();
  try {
    await markRead(ctx.db, message.id, now);
    return { ...message, readAt: now.toISOString() };
  } catch (error) {
    // On a full disk messages can be read all the same; this one stays bold.
    ctx.log.warn("a message could not be marked as read", {
      message: message.id,
      error: describeError(error),
    });
    return message;
  }
};

/** A message before and after. */
type Handled = { was: ContactMessage; is: ContactMessage };

/** Marks a message as handled, or opens it again. For admins and the operator. Throws `NOT_FOUND`. */
export const handleMessage = async (ctx: Context, { id, handled }: { id: string; handled: boolean }) => {
  const act = {
    type: "admin_action",
    action: handled ? "Marked a contact message as handled" : "Opened a contact message again",
    described: ({ was, is }: Handled) => {
      const [before, after] = [was, is].map(({ handledAt }) => ({ handled: handledAt !== null }));
      return before?.handled === after?.handled ? null : { ...messageInLog(is), before, after };
    },
  } as const;
  const { is: data } = await adminAction(ctx, act, async (tx) => {
    const was = await holdMessage(tx, messageId(id));
    if (was === null) throw unknownMessage();
    const is = await updateHandled(tx, was.id, { isHandled: handled, now: ctx.clock.now() });
    return { was, is };
  });
  const message = handled ? contactTexts.handled : contactTexts.reopened;
  return { message, data };
};

/** Removes a message permanently. For admins and the operator. Throws `NOT_FOUND`. */
export const deleteMessage = async (ctx: Context, input: { id: string }) => {
  const act = {
    type: "admin_action",
    action: "Deleted a contact message",
    severity: "medium",
    described: messageInLog,
  } as const;
  await adminAction(ctx, act, async (tx) => {
    const removed = await removeMessage(tx, messageId(input.id));
    if (removed === null) throw unknownMessage();
    return removed;
  });
  return { message: contactTexts.deleted };
};

/** The id of a message that may exist. Throws `NOT_FOUND` for a text that is no id at all. */
const messageId = (text: string): string => {
  if (!isId(text)) throw unknownMessage();
  return text;
};

/** The failure of a call for a message that is not there. */
const unknownMessage = (): AppError => new AppError("NOT_FOUND", contactTexts.unknown);

/** Which message the activity log speaks of. What it says is not told: it outlives the message. */
const messageInLog = ({
  email,
  subject,
}: Pick<ContactMessage, "email" | "subject">): Pick<ActivityEntry, "description"> => ({
  description: `${subject} message of ${email}`,
});

const batchRows = 500;

/** The matching messages as a file, newest first, 10,000 at most. For admins and the operator. */
export const exportMessages = async (
  ctx: Context,
  { format, ...filter }: ExportMessagesInput,
): Promise<Download> => {
  requireAdmin(ctx);
  const wanted = { ...filter, search: filter.search.trim() };
  // Before the file begins: a database that is away is a failure with words still.
  const first = await selectMessagesBehind(ctx.db, wanted, { place: null, limit: batchRows });
  noteActivity(ctx, { type: "api_call", action: "Downloaded contact messages", severity: "medium" });
  const { contentType, head, line } = forms[format];
  return {
    fileName: `contact-messages-${ctx.clock.now().toISOString().slice(0, 10)}.${format}`,
    contentType,
    pieces: loggedPieces(ctx, pieces(batches(ctx, wanted, first), { head, line })),
  };
};

type FileForm = { contentType: string; head: string; line: (row: ContactMessage) => string };

const columns = [
  ...["id", "createdAt"],
  ...messageFieldNames,
  ...["userId", "ip", "userAgent", "readAt", "handledAt"],
] as const;

const forms: Record<ExportMessagesInput["format"], FileForm> = {
  csv: {
    contentType: "text/csv; charset=utf-8; header=present",
    head: csvRecord(columns),
    line: (row) => csvRecord(columns.map((column) => row[column])),
  },
  ndjson: {
    contentType: "application/x-ndjson; charset=utf-8",
    head: "",
    line: (row) => `${JSON.stringify(row)}\n`,
  },
};

const pieces = async function* (
  source: AsyncIterable<ContactMessage[]>,
  { head, line }: Pick<FileForm, "head" | "line">,
): AsyncGenerator<string> {
  if (head !== "") yield head;
  for await (const batch of source) yield batch.map(line).join("");
};

const batches = async function* (
  ctx: Context,
  filter: MessageFilter,
  first: ContactMessage[],
): AsyncGenerator<ContactMessage[]> {
  let batch = first;
  let left: number = limits.exportRows;
  while (batch.length > 0) {
    yield batch;
    left -= batch.length;
    const last = batch.at(-1);
    if (batch.length < batchRows || left <= 0 || last === undefined) return;
    const place = { id: last.id, createdAt: new Date(last.createdAt) };
    batch = await selectMessagesBehind(ctx.db, filter, { place, limit: Math.min(batchRows, left) });
  }
};
