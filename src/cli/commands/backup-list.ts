import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { proofText } from "#cli/backups/proof-text.ts";
import { examples } from "#cli/examples.ts";
import { formatBytes, formatSecond } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";

type Kept = ApiAnswer<"GET /api/admin/backups">["backups"][number];

/** `backup list`: what is kept in the data folder and in object storage. */
export const addBackupListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the backups that are kept")
    .description(
      "Lists the backups in the data folder and in the object storage of the settings, newest first. Standard error tells which " +
        "one was verified last.",
    )
    .addHelpText("after", examples(["See what there is", "atrium backup list"]))
    .action(
      handler(cli, async (invocation) => {
        const state = await withClient(invocation, (client) => client.call("GET /api/admin/backups"));
        const { output } = invocation;
        const isEmpty = state.backups.length === 0;
        output.result(state, ({ backups }, style) =>
          isEmpty && style.isTerminal ? none : formatTable(columns, backups, style),
        );
        if (isEmpty && !output.isJson && !invocation.terminal.isOutputTerminal) output.note(none);
        if (state.proof !== null && !output.isJson) output.note(proofText(state.proof));
        if (state.storageFault !== null)
          output.note(`those in object storage are missing: ${printable(state.storageFault)}`);
      }),
    );
};

const none =
  "There are no backups. Make one with: atrium backup --keep\nHave them made with: atrium backup schedule --daily 03:00";

const columns: Column<Kept>[] = [
  { heading: "NAME", cell: ({ name }) => name, least: whole },
  { heading: "PLACE", cell: ({ place }) => place },
  { heading: "MADE AT", cell: ({ createdAt }) => formatSecond(createdAt), least: whole, isSpare: true },
  { heading: "SIZE", cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { heading: "ENCRYPTED", cell: ({ isEncrypted }) => (isEncrypted ? "yes" : "no") },
];
