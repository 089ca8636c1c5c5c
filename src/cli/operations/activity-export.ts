import type { ExportActivityInput } from "#api/modules/activity/contract.ts";
import type { Client } from "#cli/client.ts";
import { exportPages } from "#cli/export-pages.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes, formatCount } from "#cli/format.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { printBytes } from "#cli/print-bytes.ts";
import { createProgress, progressBar } from "#cli/progress.ts";
import { saveFile } from "#cli/save-file.ts";
import { searchedNote } from "#cli/search-notes.ts";
import { longSearchLength } from "#contract/activity.ts";
import { newestSearched } from "#contract/activity-rules.ts";
import { limits } from "#contract/limits.ts";
import { operationsOf } from "./operations-of.ts";
import type { View } from "./view.ts";

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
  throw new CliFailure(
    "USAGE",
    `--all needs a --search of at least ${longSearchLength} letters or digits: a shorter one looks at the newest ` +
      `${formatCount(newest)} activities alone; make it longer, or leave out --all`,
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
    output.note(`these are the newest ${formatCount(watch.rows)}; --all writes every one`);
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
  if (rows > total) return `${formatCount(rows)} written, ${rate}`;
  return `${progressBar(rows / Math.max(1, total))}  ${formatCount(rows)} of ${formatCount(total)} written, ${rate}`;
};
