import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";

/** `backup remove`: removes one that is kept. */
export const addBackupRemoveCommand = (group: Command, cli: Cli): void => {
  group
    .command("remove")
    .summary("remove a backup for good")
    .argument("<name>", "the backup, as `backup list` names it")
    .description("Removes a backup from the data folder or from object storage. Asks first.")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(["Make room", "atrium backup remove atrium-20261121T030000Z-0a1b2c.tar.zst --yes"]),
    )
    .action(
      handler(cli, async (invocation) => {
        const { args, confirm, output } = invocation;
        const [name = ""] = args;
        await withClient(invocation, async (client) => {
          const { backups } = await client.call("GET /api/admin/backups");
          const found = backups.find((backup) => backup.name === name);
          if (found === undefined) throw new CliFailure("NOT_FOUND", `there is no backup ${name}`);
          await confirm(async () => `Remove ${name} for good?`);
          const params = { place: found.place, name };
          await client.call("DELETE /api/admin/backups/:place/:name", { params });
          output.result({ name, place: found.place }, () => `Removed ${name}`);
        });
      }),
    );
};
