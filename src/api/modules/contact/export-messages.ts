import { noteActivity } from "#api/core/activity.ts";
import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { csvRecord } from "#api/core/csv.ts";
import { loggedPieces } from "#api/core/describe-error.ts";
import type { Download } from "#api/modules/download.ts";
import { messageFieldNames } from "#contract/contact-rules.ts";
import { limits } from "#contract/limits.ts";
import type { ContactMessage, ExportMessagesInput } from "./contract.ts";
import { type MessageFilter, selectMessagesBehind } from "./store.ts";

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
