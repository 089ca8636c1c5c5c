import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { createProgress, showingBytes } from "#cli/progress.ts";
import { saveFile } from "#cli/save-file.ts";

/** `plugin download`: the package as it was uploaded. */
export const addPluginDownloadCommand = (group: Command, cli: Cli): void => {
  group
    .command("download")
    .argument("<name>", "name of the plugin")
    .requiredOption("--out <file>", "write to this file, whole or not at all")
    .summary("save a plugin's package")
    .description(
      "Saves the package of the version in force, byte for byte as it was uploaded: its signature stays valid.",
    )
    .addHelpText(
      "after",
      examples(["To a file", "atrium plugin download visitor-notes --out visitor-notes-plugin.zip"]),
    )
    .action(
      handler<{ out: string }>(cli, async (invocation, { out }) => {
        const [name = ""] = invocation.args;
        const progress = createProgress(invocation.terminal);
        const sizeBytes = await invocation.terminal
          .interruptible((ended) =>
            withClient(invocation, async (client) => {
              const path = "/api/plugins/:name/download";
              const bytes = await client.download(path, {}, { params: { name }, ended });
              return saveFile(out, showingBytes(progress, bytes));
            }),
          )
          .finally(progress.end);
        invocation.output.result({ file: out, sizeBytes }, () => `Saved ${formatBytes(sizeBytes)} to ${out}`);
      }),
    );
};
