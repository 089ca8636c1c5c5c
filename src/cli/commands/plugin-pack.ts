import type { Command } from "commander";
import { counted } from "#cli/counted.ts";
import { examples } from "#cli/examples.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { asPieces } from "#cli/plugin-author/read-file.ts";
import { shownPath } from "#cli/plugin-author/shown-path.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { saveFile } from "#cli/save-file.ts";

/** `plugin pack`: a folder becomes a package. */
export const addPluginPackCommand = (group: Command, cli: Cli): void => {
  group
    .command("pack")
    .argument("<folder>", "the plugin's folder")
    .option("--out <file>", "the package to write; <name>-<version>.zip here unless given")
    .summary("make a package of a plugin's folder")
    .description(
      "Bundles the sources, checks everything as a server would, and writes the package; the same sources make the same " +
        "bytes. Sources, tests, hidden files, keys and node_modules stay out of it.",
    )
    .addHelpText(
      "after",
      examples(["Pack a folder", "atrium plugin pack ./visitor-notes --out visitor-notes.zip"]),
    )
    .action(
      handler<{ out?: string }>(cli, async ({ args, composition, output, terminal }, { out }) => {
        const [folder = ""] = args;
        const { command, pack } = await composition.pluginTools();
        const { zip, manifest, files } = await duringStep(
          createProgress(terminal),
          `packing ${printable(folder)}`,
          () => pack(folder),
        );
        const { name, version } = manifest;
        const file = out ?? `${name}-${version}.zip`;
        const sizeBytes = await saveFile(file, asPieces(zip));
        output.result({ file, name, version, sizeBytes, files }, () =>
          printable(
            `Packed ${name} ${version}: ${counted(files.length, "file")}, ${formatBytes(sizeBytes)}, in ${file}`,
          ),
        );
        output.note(`Next: ${command} plugin install ${shownPath(file)} --enable`);
      }),
    );
};
