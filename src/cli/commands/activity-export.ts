import { type Command, Option } from "commander";
import { type ActivityFilters, activityQuery, withActivityFilters } from "#cli/activity-filters.ts";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { type ExportFormat, exportPages } from "#cli/export-pages.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes, formatCount } from "#cli/format.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printBytes } from "#cli/print-bytes.ts";
import { createProgress, progressBar } from "#cli/progress.ts";
import { saveFile } from "#cli/save-file.ts";
import { searchedNote } from "#cli/search-notes.ts";
import { longSearchLength } from "#contract/activity.ts";
import { newestSearched } from "#contract/activity-rules.ts";
import { limits } from "#contract/limits.ts";

type ExportOptions = ActivityFilters & { format: ExportFormat; out?: string; all?: true };

/** `activity export`: the activities as a file. */
export const addActivityExportCommand = (group: Command, cli: Cli): void => {
  withActivityFilters(
    group
      .command("export")
      .summary("write the activities as CSV or NDJSON")
      .description(
        "Writes the newest 10,000 activities that match, or with --all every one, newest first, to standard output or " +
          "to a file that only its owner may read. In CSV a text that a spreadsheet would run as a formula has an " +
          "apostrophe in front; NDJSON is one JSON object a line.",
      ),
  )
    .addOption(new Option("--format <format>", "form of the file").choices(["csv", "ndjson"]).default("csv"))
    .option("--out <file>", "write to this file instead of standard output, whole or not at all")
    .option(
      "--all",
      "every activity that matches instead of the newest 10,000; not with a --search of one or two letters",
    )
    .addHelpText(
      "after",
      examples(
        [
          "What mattered in the last week, for a spreadsheet",
          "atrium activity export --since 7d --severity high,critical --out activity.csv",
        ],
        [
          "All of last month",
          "atrium activity export --all --since 2026-10-01 --until 2026-10-31 --out october.csv",
        ],
        ["For a pipe", "atrium activity export --format ndjson --all | jq -r .userEmail | sort | uniq -c"],
      ),
    )
    .action(
      handler<ExportOptions>(cli, async (invocation, options) => {
        refuseShortSearch(options);
        await invocation.terminal.interruptible((ended) =>
          withClient(invocation, (client) => exportActivities(invocation, { client, options, ended })),
        );
      }),
    );
};

/** `--all` promises every match, which a short search cannot find. */
const refuseShortSearch = ({ all, search = "" }: ExportOptions): void => {
  const newest = newestSearched(search);
  if (!all || newest === null) return;
  throw new CliFailure(
    "USAGE",
    `--all needs a --search of at least ${longSearchLength} letters or digits: a shorter one looks at the newest ` +
      `${formatCount(newest)} activities alone; make it longer, or leave out --all`,
  );
};

type Export = { client: Client; options: ExportOptions; ended: AbortSignal };

const exportActivities = async (
  { terminal, output }: Invocation,
  { client, options: { format, out, all, ...filters }, ended }: Export,
): Promise<void> => {
  const query = { ...activityQuery(filters), format, limit: limits.exportRows };
  const progress = createProgress(terminal, { isBesideResults: out === undefined });
  const total = progress.isShown ? await rowsToWrite(client, { filters, isAll: all === true }) : 0;
  const watch = { rows: 0, total, startedAtMs: performance.now() };
  const bytes = exportPages({
    format,
    pageRows: limits.exportRows,
    isAll: all === true,
    open: (before) =>
      client.download("/api/admin/activity/export", before === null ? query : { ...query, before }, {
        ended,
      }),
    onRows: (rows) => {
      watch.rows = rows;
      progress.show(() => watchText(watch));
    },
  });
  try {
    if (out === undefined) await printBytes(terminal, bytes);
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
  else if (!all && watch.rows === limits.exportRows && terminal.isErrorTerminal)
    output.note(`these are the newest ${formatCount(watch.rows)}; --all writes every one`);
};

const rowsToWrite = async (
  client: Client,
  { filters, isAll }: { filters: ActivityFilters; isAll: boolean },
): Promise<number> => {
  const query = { ...activityQuery(filters), limit: 1 };
  const { pagination } = await client.call("GET /api/admin/activity", { query });
  return isAll ? pagination.total : Math.min(pagination.total, limits.exportRows);
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
