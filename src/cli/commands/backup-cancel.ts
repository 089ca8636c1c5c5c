import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";

/** `backup cancel`: ends the one that is being made. */
export const addBackupCancelCommand = (group: Command, cli: Cli): void => {
  group
    .command("cancel")
    .summary("cancel the backup that is being made")
    .description(
      "Cancels the backup that is being made, on whichever server, by the schedule or by somebody; nothing of it is kept.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["Stop it", "atrium backup cancel"]))
    .action(
      handler(cli, async (invocation) => {
        const answer = await withClient(invocation, (client) => client.call("DELETE /api/admin/backups/run"));
        invocation.output.result(answer, ({ message }) => message);
      }),
    );
};
