import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { createProgress, showingBytes } from "#cli/progress.ts";
import { refuseExisting, saveFile } from "#cli/save-file.ts";

/** `backup download`: a kept backup as a file. */
export const addBackupDownloadCommand = (group: Command, cli: Cli): void => {
  group
    .command("download")
    .summary("save a kept backup as a file")
    .argument("<name>", "the backup, as `backup list` names it")
    // Commander hands it to `backup`, which takes one too: here it would seem to be missing.
    .option(
      "--out <file>",
      "write to this file, whole or not at all, never over one that is there; it has to be given",
    )
    .description(
      "Saves a backup that is kept in the data folder or in object storage, byte for byte, in a file that only its owner may read.",
    )
    .addHelpText(
      "after",
      examples([
        "To another machine",
        "atrium backup download atrium-20261121T030000Z-0a1b2c.tar.zst --out atrium.tar.zst --url https://atrium.example",
      ]),
    )
    .action(
      handler<{ out?: string }>(cli, async (invocation, { out }) => {
        const [name = ""] = invocation.args;
        if (out === undefined) throw new CliFailure("USAGE", "say where the backup goes: add --out FILE");
        await refuseExisting(out);
        const progress = createProgress(invocation.terminal);
        const sizeBytes = await invocation.terminal
          .interruptible((ended) =>
            withClient(invocation, async (client) => {
              const { backups } = await client.call("GET /api/admin/backups");
              const found = backups.find((backup) => backup.name === name);
              if (found === undefined) throw new CliFailure("NOT_FOUND", `there is no backup ${name}`);
              const params = { place: found.place, name };
              const path = "/api/admin/backups/:place/:name/download";
              const bytes = await client.download(path, {}, { params, ended });
              return saveFile(out, showingBytes(progress, bytes, found.sizeBytes));
            }),
          )
          .finally(progress.end);
        invocation.output.result({ file: out, sizeBytes }, () => `Saved ${formatBytes(sizeBytes)} to ${out}`);
      }),
    );
};
