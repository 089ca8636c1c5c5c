import type { ActivityList, ExportActivityInput } from "#api/modules/activity/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { formatBytes, formatCount } from "#cli/terminal/format.ts";
import { createProgress, progressBar } from "#cli/terminal/progress.ts";
import { printBytes, saveFile } from "#cli/terminal/save-file.ts";
import { longSearchLength, newestSearched } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import type { View } from "../../operations/declared-command.ts";

type Input = Omit<ExportActivityInput, "limit" | "before">;

/** `activity export`: page after page with `--all`, with how far it has come. */
export const exportView: View<never, Input> = {
  run: async (invocation, options, input) => {
    const isAll = options.all === true;
    const out = typeof options.out === "string" ? options.out : null;
    if (isAll) refuseShortSearch(input);
    await invocation.terminal.interruptible((ended) =>
      withClient(invocation, (client) => exportActivities(invocation, { client, input, out, isAll, ended })),
    );
  },
};

/** `--all` promises every match, which a short search cannot find. */
const refuseShortSearch = ({ search = "" }: Input): void => {
  const newest = newestSearched(search);
  if (newest === null) return;
  throw usage(
    `--all needs a --search of at least ${longSearchLength} letters or digits: a shorter one only searches the newest ` +
      `${formatCount(newest)} activities; use a longer one, or remove --all`,
  );
};

type Export = { client: Client; input: Input; out: string | null; isAll: boolean; ended: AbortSignal };

const exportActivities = async (
  { terminal, output }: Invocation,
  { client, input, out, isAll, ended }: Export,
): Promise<void> => {
  const { format, ...filters } = input;
  const progress = createProgress(terminal, { isBesideResults: out === null });
  const total = progress.isShown ? await rowsToWrite(client, { filters, isAll }) : 0;
  const watch = { rows: 0, total, startedAtMs: performance.now() };
  const bytes = exportPages({
    format,
    pageRows: limits.exportRows,
    isAll,
    open: (before) => {
      const page = { ...input, limit: limits.exportRows, before: before ?? undefined };
      return client.receive("activity.export", page, ended);
    },
    onRows: (rows) => {
      watch.rows = rows;
      progress.show(() => watchText(watch));
    },
  });
  try {
    if (out === null) await printBytes(terminal, bytes);
    else {
      const sizeBytes = await saveFile(out, bytes);
      progress.end();
      output.result(
        { file: out, sizeBytes, rows: watch.rows },
        ({ file, rows }) =>
          `Wrote ${formatCount(rows)} ${rows === 1 ? "activity" : "activities"}, ${formatBytes(sizeBytes)}, to ${file}`,
      );
    }
  } finally {
    progress.end();
  }
  const newest = newestSearched(filters.search ?? "");
  if (newest !== null) output.note(searchedNote(newest));
  else if (!isAll && watch.rows === limits.exportRows && terminal.isErrorTerminal)
    output.note(`only the newest ${formatCount(watch.rows)} were exported; use --all for all of them`);
};

const rowsToWrite = async (
  client: Client,
  { filters, isAll }: { filters: Omit<Input, "format">; isAll: boolean },
): Promise<number> => {
  const { total } = (await operationsOf(client).activity.list({ ...filters, limit: 1 })).data.pagination;
  return isAll ? total : Math.min(total, limits.exportRows);
};

/** How far an export has come; `total` is what it is expected to come to. */
type Watch = { rows: number; total: number; startedAtMs: number };

const watchText = ({ rows, total, startedAtMs }: Watch): string => {
  const seconds = Math.max(0.001, (performance.now() - startedAtMs) / 1000);
  const rate = `${formatCount(Math.round(rows / seconds))} a second`;
  // Of a text search only the beginning is counted, and meanwhile more may come.
  if (rows > total) return `${formatCount(rows)} exported, ${rate}`;
  return `${progressBar(rows / Math.max(1, total))}  ${formatCount(rows)} of ${formatCount(total)} exported, ${rate}`;
};

/** The form of an exported file: CSV begins with a record of headings. */
export type ExportFormat = "csv" | "ndjson";

/** How an export is read page by page. */
type ExportPages = {
  format: ExportFormat;
  /** How many records a whole page has. */
  pageRows: number;
  /** Whether pages are read until one is not whole; the first alone otherwise. */
  isAll: boolean;
  /** Begins to read the page of the newest records, or of those older than the one with the number `before`. */
  open(before: number | null): Promise<AsyncIterable<Uint8Array>>;
  /** Is told of all records that have gone by so far. */
  onRows(rows: number): void;
};

/**
 * The pages of an export as one file. Each record is one line and begins with its number, by which the next page is
 * asked for; the headings of the pages behind the first are left out.
 */
export const exportPages = async function* ({
  format,
  pageRows,
  isAll,
  open,
  onRows,
}: ExportPages): AsyncGenerator<Uint8Array> {
  let rows = 0;
  let before: number | null = null;
  for (;;) {
    const page = createPage({ hasHead: format === "csv", isFirst: before === null });
    for await (const chunk of await open(before)) {
      const kept = page.take(chunk);
      if (kept.length > 0) yield kept;
      onRows(rows + page.rows());
    }
    const last = page.lastNumber();
    rows += page.rows();
    if (!isAll || page.rows() < pageRows) return;
    if (last === null || (before !== null && last >= before))
      throw new CliFailure(
        "INTERNAL",
        "the export cannot continue: the activities are not in descending order",
      );
    before = last;
  }
};

type Page = {
  /** What of a chunk belongs into the file. */
  take(chunk: Uint8Array): Uint8Array;
  /** How many records have ended so far. */
  rows(): number;
  /** The number that the last record begins with, `null` where it begins with none. */
  lastNumber(): number | null;
};

const lineFeed = 10;
// More than enough for `{"id":` and the digits of a number.
const keptBytes = 40;

const createPage = ({ hasHead, isFirst }: { hasHead: boolean; isFirst: boolean }): Page => {
  let lines = 0;
  // How the line begins that is being read, and how the last whole one did.
  let beginning: number[] = [];
  let last = "";

  const note = (bytes: Uint8Array): void => {
    for (const byte of bytes.subarray(0, keptBytes - beginning.length)) beginning.push(byte);
  };
  /** Reads the chunk's lines; where the head ends in it, or 0. */
  const read = (chunk: Uint8Array): number => {
    let [start, headEnd] = [0, 0];
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      note(chunk.subarray(start, end));
      last = String.fromCharCode(...beginning);
      beginning = [];
      lines += 1;
      start = end + 1;
      if (hasHead && lines === 1) headEnd = start;
    }
    note(chunk.subarray(start));
    return headEnd;
  };
  return {
    take: (chunk) => {
      const wasInHead = hasHead && lines === 0;
      const headEnd = read(chunk);
      if (isFirst || !wasInHead) return chunk;
      return chunk.subarray(lines === 0 ? chunk.length : headEnd);
    },
    rows: () => Math.max(0, lines - (hasHead ? 1 : 0)),
    lastNumber: () => {
      const digits = /^(?:\{"id":)?(\d+)\b/.exec(last)?.[1];
      return digits === undefined ? null : Number(digits);
    },
  };
};

type Bounds = {
  pagination: Pick<ActivityList["pagination"], "total" | "totalIsEstimate" | "searchedNewest">;
  stats: Pick<ActivityList["stats"], "coversNewest">;
};

/** What to say of a search that did not look at, or count, everything; nothing for any other answer. */
export const searchNotes = ({ pagination, stats }: Bounds): string[] => {
  const { totalIsEstimate, searchedNewest, total } = pagination;
  return [
    ...(searchedNewest === null ? [] : [searchedNote(searchedNewest)]),
    ...(totalIsEstimate || stats.coversNewest !== null
      ? [
          `more than ${formatCount(total)} activities match; only the newest ${formatCount(stats.coversNewest ?? total)} were counted`,
        ]
      : []),
  ];
};

/** What to say of a search that looked at the newest activities alone. */
const searchedNote = (newest: number): string =>
  `only the newest ${formatCount(newest)} activities were searched; use at least ${longSearchLength} letters or digits to search all of them`;
