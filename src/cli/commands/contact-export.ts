import { type Command, Option } from "commander";
import { type ContactFilters, contactQuery, withContactFilters } from "#cli/contact-filters.ts";
import { examples } from "#cli/examples.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printBytes } from "#cli/print-bytes.ts";
import { createProgress, showingBytes } from "#cli/progress.ts";
import { saveFile } from "#cli/save-file.ts";

type ExportOptions = ContactFilters & { format: "csv" | "ndjson"; out?: string };

/** `contact export`: the messages as a file. */
export const addContactExportCommand = (group: Command, cli: Cli): void => {
  withContactFilters(
    group
      .command("export")
      .summary("write the messages as CSV or NDJSON")
      .description(
        "Writes the newest 10,000 messages that match, to standard output or to a file that only its owner may read. " +
          "In CSV a text that a spreadsheet would run as a formula has an apostrophe in front.",
      ),
  )
    .addOption(new Option("--format <format>", "form of the file").choices(["csv", "ndjson"]).default("csv"))
    .option("--out <file>", "write to this file instead of standard output, whole or not at all")
    .addHelpText(
      "after",
      examples(
        ["Everything, for a spreadsheet", "atrium contact export --out messages.csv"],
        [
          "The addresses of those who asked for sales",
          "atrium contact export --format ndjson --subject Sales | jq -r .email",
        ],
      ),
    )
    .action(
      handler<ExportOptions>(cli, async (invocation, { format, out, ...filters }) => {
        const query = { ...contactQuery(filters), format };
        const { terminal, output } = invocation;
        const progress = createProgress(terminal, { isBesideResults: out === undefined });
        await terminal.interruptible((ended) =>
          withClient(invocation, async (client) => {
            const answer = await client.download("/api/admin/contact/export", query, { ended });
            const bytes = showingBytes(progress, answer);
            if (out === undefined) return printBytes(terminal, bytes).finally(progress.end);
            const written = { file: out, sizeBytes: await saveFile(out, bytes).finally(progress.end) };
            output.result(written, ({ file, sizeBytes }) => `Wrote ${formatBytes(sizeBytes)} to ${file}`);
          }),
        );
      }),
    );
};
