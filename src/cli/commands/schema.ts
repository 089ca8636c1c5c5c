import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { jsonLine } from "#cli/output.ts";
import { findPluginWord } from "#cli/plugin-words/find-plugin-word.ts";
import { schemaOf, schemaOfPluginCommand } from "#cli/schemas/schema-of.ts";
import { isWithoutInstallation, toFailure } from "#cli/to-failure.ts";

/** `schema`: what programs may expect of `--json`. */
export const addSchemaCommand = (program: Command, cli: Cli): void => {
  program
    .command("schema")
    .argument("<command...>", "the words of a command")
    .summary("print the schema of a command's --json")
    .description(
      "Prints the JSON Schema of what a command prints with --json. What the API answers has the schema of the API's own " +
        "description. Commands that follow something print one such value a line. Of a plugin's command it is what the " +
        "enabled plugin says of its answers.",
    )
    .addHelpText(
      "after",
      examples(
        ["Of one command", "atrium schema user list"],
        ["For types in a script", "atrium schema status > status.schema.json"],
        ["Of a plugin's command", "atrium schema license show"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const { args, composition, terminal } = invocation;
        const name = args.join(" ");
        const command = commandCalled(program, args);
        const hasPlan = command?.options.some(({ long }) => long === "--plan") ?? false;
        const schema = command
          ? schemaOf(name, { document: await composition.describeApi(), hasPlan })
          : await schemaFromPlugin(invocation, args);
        if (!schema) throw new CliFailure("USAGE", `there is no command "${name}" that prints JSON`);
        terminal.out(`${jsonLine(schema)}\n`);
      }),
    );
};

/** The schema of a command that an enabled plugin has; `null` when none has it. Throws `USAGE` where nobody could be asked. */
const schemaFromPlugin = async (
  invocation: Invocation,
  [word = "", name = "", ...more]: readonly string[],
): Promise<object | null> => {
  if (name === "" || more.length > 0) return null;
  const described = withClient(invocation, async (client) => {
    const found = await findPluginWord(client, word);
    const command = found?.commands.list.find((one) => one.name === name);
    if (!found || !command) return null;
    const { plugin } = found;
    return schemaOfPluginCommand(`${word} ${name}`, { document: await client.describe(), plugin, command });
  });
  return described.catch((error) => {
    if (!isWithoutInstallation(error)) throw error;
    throw new CliFailure(
      "USAGE",
      `there is no command "${word} ${name}" of Atrium's own, and ${toFailure(error).message.split(";")[0]}: a plugin's ` +
        "commands are described by a server (--url) or by a data folder with an installation (--data-dir)",
    );
  });
};

const commandCalled = (program: Command, words: readonly string[]): Command | undefined =>
  words.reduce<Command | undefined>(
    (group, word) => group?.commands.find((command) => command.name() === word),
    program,
  );
