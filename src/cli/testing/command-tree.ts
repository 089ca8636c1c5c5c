import type { Command } from "commander";
import { ownGroups } from "#api/operations.ts";
import type { Cli } from "#cli/invocation.ts";
import { createProgram } from "#cli/program.ts";
import { processTerminal } from "#cli/terminal/terminal.ts";

const cli: Cli = {
  terminal: processTerminal({}),
  environment: () => ({}),
  compose: () => {
    throw new Error("no command is run here");
  },
  pluginWords: async () => [],
};

/** A program that is not run, to inspect its commands. */
export const unrunProgram = (): Command => createProgram(cli, "1.2.3");

const ownWords = new Set(Object.values(ownGroups).map(({ word }) => word));

/** Whether a command, by its words, is one of an own feature. */
export const isOwnCommand = (words: string): boolean => ownWords.has(words.split(" ")[0] ?? "");

/** Every command of the product that can be run, by its words behind the program's name; none of own features. */
export const runnableCommands = (program: Command): ReadonlyMap<string, Command> =>
  new Map(below(program, []));

const below = (command: Command, words: string[]): [string, Command][] => [
  // A group is a command itself when it has options.
  ...(words.length > 0 && (command.commands.length === 0 || command.options.length > 0)
    ? [[words.join(" "), command] satisfies [string, Command]]
    : []),
  ...command.commands
    .filter((child) => words.length > 0 || !isOwnCommand(child.name()))
    .flatMap((child) => below(child, [...words, child.name()])),
];
