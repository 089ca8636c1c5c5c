import type { Command } from "commander";
import { shippedPlugins } from "#api/plugin-host/package/shipped-packages.ts";
import type { Cli } from "#cli/invocation.ts";
import { addPluginWord } from "#cli/plugin-words/add-plugin-word.ts";
import { createProgram } from "#cli/program.ts";
import { processTerminal } from "#cli/terminal/terminal.ts";
import { firstPartyPlugins } from "#plugins/first-party.ts";

/** The whole command line with the commands of shipped plugins, made to be looked at: nothing of it can be run. */
export const wholeProgram = (): Command => {
  const cli: Cli = {
    terminal: processTerminal({}),
    environment: () => ({}),
    compose: () => {
      throw new Error("no command is run here");
    },
    pluginWords: async () => [],
  };
  const program = createProgram(cli, "");
  for (const { manifest } of shippedPlugins(firstPartyPlugins)) {
    const { name: plugin, commands } = manifest;
    if (commands !== null) addPluginWord(program, cli, { plugin, commands });
  }
  return program;
};

/** Every command that can be run, with its full name; a group is one itself when it has options. */
export const runnableCommands = (command: Command, name = command.name()): [string, Command][] => {
  const below = command.commands.flatMap((child) => runnableCommands(child, `${name} ${child.name()}`));
  return isRunnable(command) ? [[name, command], ...below] : below;
};

const isRunnable = ({ commands, parent, options }: Command): boolean =>
  commands.length === 0 || (parent !== null && options.length > 0);

/** The reference of the command line, as Markdown. */
export const cliReference = (program: Command): string => {
  const sections = program.commands.flatMap((group) => [
    `## ${plain(`${program.name()} ${group.name()}`)}`,
    // A command without others below it is its own group.
    ...(isRunnable(group) ? [] : [plain(group.description())]),
    ...runnableCommands(group, `${program.name()} ${group.name()}`).flatMap(([name, command]) =>
      section(name, command, command !== group),
    ),
  ]);
  return [
    "# Command reference",
    "Every command as `--help` describes it in the terminal, generated from the program. What commands have in common, and what each prints with `--json`, is in `docs/cli.md`.",
    "## Options of every command",
    optionTable(program),
    ...moreHelp(program),
    ...sections,
    "",
  ].join("\n\n");
};

const section = (name: string, command: Command, hasHeading: boolean): string[] => [
  ...(hasHeading ? [`### ${plain(name)}`] : []),
  ...command.description().split("\n\n").map(plain),
  // Without arguments it would only repeat the heading.
  ...(command.registeredArguments.length > 0
    ? [fenced("sh", usageOf(name, command)), argumentTable(command)]
    : []),
  ...(command.options.length > 0 ? [optionTable(command)] : []),
  ...moreHelp(command),
];

const usageOf = (name: string, command: Command): string => {
  const words = command.registeredArguments.map((argument) => {
    const shown = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${shown}>` : `[${shown}]`;
  });
  return [name, ...(command.options.length > 0 ? ["[options]"] : []), ...words].join(" ");
};

const argumentTable = (command: Command): string =>
  table(
    "argument",
    command.registeredArguments.map((argument) => [
      argument.name(),
      [argument.description, choices(argument.argChoices), defaultText(argument.defaultValue)],
    ]),
  );

const optionTable = (command: Command): string =>
  table(
    "option",
    command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => [
        option.flags,
        [option.description, choices(option.argChoices), defaultText(option.defaultValue)],
      ]),
  );

type Row = [name: string, words: string[]];

const table = (kind: string, rows: readonly Row[]): string =>
  [
    `| ${kind} | effect |`,
    "|---|---|",
    ...rows.map(
      ([name, words]) =>
        `| \`${name.replaceAll("|", "\\|")}\` | ${plain(words.filter(Boolean).join("; "))} |`,
    ),
  ].join("\n");

const choices = (list: readonly string[] | undefined): string =>
  list === undefined ? "" : `one of: ${list.join(", ")}`;

const defaultText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `default: ${value}` : "";

/** What stands below a command's options in its help: examples as they are typed, and the rest as it is. */
const moreHelp = (command: Command): string[] => {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  const more = help.slice(command.helpInformation().length);
  return more
    .split(/\n(?=Examples:\n)/)
    .flatMap((part) => (part.startsWith("Examples:\n") ? examplesOf(part) : rest(part)));
};

const examplesOf = (text: string): string[] => {
  const lines = text.split("\n").slice(1);
  // Whatever is not set in below it is not of the examples any more.
  const end = lines.findIndex((line) => /^\S/.test(line));
  const own = (end < 0 ? lines : lines.slice(0, end)).map((line) => line.replace(/^ {2}(?:\$ )?/, ""));
  return [fenced("sh", own.join("\n").trim()), ...(end < 0 ? [] : rest(lines.slice(end).join("\n")))];
};

const rest = (text: string): string[] => (text.trim() === "" ? [] : [fenced("", text.trim())]);

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/**
 * Escapes text so that none of it is Markdown. Options and variables that they name are set as code, documents
 * become links.
 */
const plain = (text: string): string =>
  text
    .replaceAll("\n", " ")
    .split(named)
    .map((part, at) => (at % 2 === 1 ? `\`${part}\`` : part.replace(/[\\`*_<>[\]|~#]/g, "\\$&")))
    .join("");

const named = /(?<![\w/-])(--[a-z][a-z-]*|[A-Z]+(?:_[A-Z]+)+|docs\/[\w/-]+\.md)(?![\w/])/;
