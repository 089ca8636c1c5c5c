import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import { jsonLine } from "#cli/output.ts";
import { schemaOf } from "#cli/schemas/schema-of.ts";

/** `schema`: what programs may expect of `--json`. */
export const addSchemaCommand = (program: Command, cli: Cli): void => {
  program
    .command("schema")
    .argument("<command...>", "the words of a command")
    .summary("print the schema of a command's --json")
    .description(
      "Prints the JSON Schema of what a command prints with --json. What the API answers has the schema of the API's own " +
        "description. Commands that follow something print one such value a line.",
    )
    .addHelpText(
      "after",
      examples(
        ["Of one command", "atrium schema user list"],
        ["For types in a script", "atrium schema status > status.schema.json"],
      ),
    )
    .action(
      handler(cli, async ({ args, composition, terminal }) => {
        const name = args.join(" ");
        const command = commandCalled(program, args);
        const hasPlan = command?.options.some(({ long }) => long === "--plan") ?? false;
        const schema = command && schemaOf(name, { document: await composition.describeApi(), hasPlan });
        if (!schema) throw new CliFailure("USAGE", `there is no command "${name}" that prints JSON`);
        terminal.out(`${jsonLine(schema)}\n`);
      }),
    );
};

const commandCalled = (program: Command, words: readonly string[]): Command | undefined =>
  words.reduce<Command | undefined>(
    (group, word) => group?.commands.find((command) => command.name() === word),
    program,
  );
