import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatBytes, formatSecond } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";

type Kept = ApiAnswer<"GET /api/admin/backups">["backups"][number];

/** `backup list`: what is kept in the data folder and in object storage. */
export const addBackupListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the backups that are kept")
    .description(
      "Lists the backups in the data folder and in the object storage of the settings, newest first.",
    )
    .addHelpText("after", examples(["See what there is", "atrium backup list"]))
    .action(
      handler(cli, async (invocation) => {
        const state = await withClient(invocation, (client) => client.call("GET /api/admin/backups"));
        const { output } = invocation;
        output.result(state, ({ backups }, style) =>
          backups.length === 0 && style.isTerminal
            ? "There are no backups."
            : formatTable(columns, backups, style),
        );
        if (state.storageFault !== null)
          output.note(`those in object storage are missing: ${state.storageFault}`);
      }),
    );
};

const columns: Column<Kept>[] = [
  { heading: "NAME", cell: ({ name }) => name, least: whole },
  { heading: "PLACE", cell: ({ place }) => place },
  { heading: "MADE AT", cell: ({ createdAt }) => formatSecond(createdAt) },
  { heading: "SIZE", cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { heading: "ENCRYPTED", cell: ({ isEncrypted }) => (isEncrypted ? "yes" : "no") },
];
