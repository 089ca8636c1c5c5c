import type { Command } from "commander";
import { addExamples, declareCommand, type GivenOptions } from "#cli/declared-command.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import type { CommandInput, PluginCommand } from "#contract/plugin-commands.ts";
import type { PluginWord } from "./plugin-word.ts";
import { runPluginCommand } from "./run-plugin-command.ts";

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
  const added = declareCommand(group, {
    ...command,
    description: [command.description, ...inputHelp(input)],
    changes: command.call.method !== "GET",
  });
  if (input?.file) added.option("--file <path>", "read it from this file instead");
  if (confirm !== null) added.addHelpText("after", "\nAsks before it does so; --yes answers that.");
  addExamples(added, command.examples);
  added.action(
    handler<GivenOptions>(cli, (invocation, options) =>
      runPluginCommand(invocation, { ...word, command, options }),
    ),
  );
};

const inputHelp = (input: CommandInput | null): string[] =>
  input === null ? [] : [`${input.summary}: asked for without showing it, or read from standard input.`];
