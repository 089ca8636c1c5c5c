import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { examples } from "#cli/examples.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import type { CommandInput, CommandOption, PluginCommand } from "#contract/plugin-commands.ts";
import type { PluginWord } from "./plugin-word.ts";
import { type GivenOptions, runPluginCommand } from "./run-plugin-command.ts";

/** Adds the commands of a plugin: what they do is said by its manifest, nothing of the plugin runs here. */
export const addPluginWord = (program: Command, cli: Cli, word: PluginWord): void => {
  const { plugin, commands } = word;
  const group = program
    .command(commands.word)
    .summary(printable(commands.summary))
    .description(`${printable(commands.summary)} (commands of the plugin ${plugin})`);
  for (const command of commands.list) addCommand(group, cli, { ...word, command });
};

const addCommand = (
  group: Command,
  cli: Cli,
  { command, ...word }: PluginWord & { command: PluginCommand },
): void => {
  const { confirm, input } = command;
  const added = group
    .command(command.name)
    .summary(printable(command.summary))
    .description([printable(command.description), ...inputHelp(input)].join("\n\n"));
  for (const { name, summary, required } of command.arguments)
    added.addArgument(new Argument(required ? `<${name}>` : `[${name}]`, printable(summary)));
  for (const option of command.options) added.addOption(optionOf(option));
  if (command.call.method !== "GET") added.option(...planOption);
  if (input?.file) added.option("--file <path>", "read it from this file instead");
  if (confirm !== null) added.addHelpText("after", "\nAsks before it does so; --yes answers that.");
  if (command.examples.length > 0)
    added.addHelpText(
      "after",
      examples(
        ...command.examples.map(({ summary, typed }) => [printable(summary), printable(typed)] as const),
      ),
    );
  added.action(
    handler<GivenOptions>(cli, (invocation, options) =>
      runPluginCommand(invocation, { ...word, command, options }),
    ),
  );
};

const inputHelp = (input: CommandInput | null): string[] =>
  input === null
    ? []
    : [`${printable(input.summary)}: asked for without showing it, or read from standard input.`];

const optionOf = ({ name, summary, type, values }: CommandOption): Option => {
  if (type === "boolean") return new Option(`--${name}`, printable(summary));
  const option = new Option(`--${name} <${type === "integer" ? "number" : "value"}>`, printable(summary));
  if (type === "integer") return option.argParser(integer);
  return values.length > 0 ? option.choices(values) : option;
};

const integer = (text: string): number => {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};
