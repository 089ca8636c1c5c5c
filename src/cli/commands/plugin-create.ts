import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { openRunning } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, type Invocation } from "#cli/invocation.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { Planned, planOption } from "#cli/plan/planned.ts";
import { shownPath } from "#cli/plugin-author/shown-path.ts";
import { isPluginName } from "#contract/plugin-names.ts";

type CreateOptions = { dir?: string; withoutPage?: true };

/** `plugin create`: the folder of a new plugin. */
export const addPluginCreateCommand = (group: Command, cli: Cli): void => {
  group
    .command("create")
    .argument("<name>", "its name: small letters, digits and hyphens")
    .option("--dir <folder>", "the folder to make, instead of one with the plugin's name here")
    .option("--without-page", "without a page of its own in the admin area")
    .summary("begin a new plugin")
    .description(
      "Makes a folder with the source of the plugin template under another name: it builds, runs and passes its tests as it " +
        "is, and has an example of everything that a plugin can do. Says what to do next. Refuses names that are taken, and folders with something in them.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["In ./visitor-notes", "atrium plugin create visitor-notes"],
        [
          "Elsewhere, without a page",
          "atrium plugin create visitor-notes --without-page --dir ~/plugins/notes",
        ],
      ),
    )
    .action(
      handler<CreateOptions>(cli, async (invocation, { dir, withoutPage }) => {
        const [name = ""] = invocation.args;
        const folder = dir ?? name;
        const running = await askServer(invocation, name);
        await checkFolder(folder);
        if (invocation.isPlan)
          throw new Planned({
            words: `Would make the folder ${shownPath(folder)} with the plugin ${name}`,
            call: null,
          });
        const { command, starterFiles } = await invocation.composition.pluginTools();
        const schema = `${running ?? originOf(invocation)}/api/plugin-host/manifest.schema.json`;
        const files = starterFiles({ name, hasPage: withoutPage !== true, schema });
        for (const [path, text] of files) {
          const target = join(folder, path);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, text, { flag: "wx" });
        }
        const at = shownPath(folder);
        invocation.output.result({ name, folder, files: [...files.keys()] }, () =>
          [
            `Made ${at} with ${files.size} files. What next${running === null ? `, with a server running (${command} serve)` : ""}:`,
            "",
            `  ${command} plugin dev ${at}`,
            "",
            "It builds the plugin, asks whether it may do what it wants, runs it, and runs it again at each change.",
            `${placeOf(running, name)}, and read ${at}/README.md for the rest.`,
          ].join("\n"),
        );
      }),
    );
};

/**
 * Where the running server is, or `null` when none runs. Throws `USAGE` for a name that no plugin can have, or that one of
 * the server's has.
 */
const askServer = async ({ composition, remote }: Invocation, name: string): Promise<string | null> => {
  if (!isPluginName(name))
    throw new CliFailure(
      "USAGE",
      `${name} cannot be a plugin's name: that is 2 to 40 small letters, digits and hyphens, begins with a letter, and is no word that Atrium uses itself`,
    );
  const client = await openRunning(composition, await remote());
  if (client === null) return null;
  try {
    const plugins = (await operationsOf(client).plugins.list()).data;
    if (plugins.some((plugin) => plugin.name === name))
      throw new CliFailure("USAGE", `the running server has a plugin ${name} already`);
    return (await operationsOf(client).system.info()).data.appUrl;
  } finally {
    await client.close();
  }
};

/** Throws `USAGE` unless the folder is empty or is not there. */
const checkFolder = async (folder: string): Promise<void> => {
  const entries = await readdir(folder).catch((error) => {
    if (Reflect.get(Object(error), "code") === "ENOENT") return [];
    throw new CliFailure("USAGE", `${folder} is no folder that can be used`, { cause: error });
  });
  if (entries.length > 0) throw new CliFailure("USAGE", `${folder} is not empty`);
};

// Which address a server that runs elsewhere has is not known here.
const placeOf = (running: string | null, name: string): string =>
  running === null
    ? `See it on the page /admin/plugins/${name} of that server`
    : `See it at ${running}/admin/plugins/${name}`;

/** Where a server would be. */
const originOf = ({ composition }: Invocation): string => {
  const { appUrl, port } = composition.config();
  return appUrl ?? `http://localhost:${port === 0 ? 3000 : port}`;
};
