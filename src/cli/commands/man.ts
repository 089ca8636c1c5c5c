import type { Command, Option } from "commander";
import { type Cli, examples } from "#cli/invocation.ts";
import { addPluginWord } from "#cli/plugin-words/add-plugin-word.ts";

/** `man`: the manual of this very program. */
export const addManCommand = (program: Command, cli: Cli, version: string): void => {
  program
    .command("man")
    .summary("print the manual page")
    .description(
      "Prints the manual page of this version, with every command, in the format of man: show it directly, or save it " +
        "where man finds it. Builds include it as man/atrium.1.",
    )
    .addHelpText(
      "after",
      examples(
        ["Read it", "atrium man | man -l -"],
        ["For all users", "atrium man > /usr/local/share/man/man1/atrium.1"],
      ),
    )
    .action(async () => {
      const known = program.commands.map((command) => command.name());
      for (const word of await cli.pluginWords())
        if (!known.includes(word.commands.word)) addPluginWord(program, cli, word);
      cli.terminal.out(manPage(program, version));
    });
};

/** A program and its commands as a page for `man`, in the language of man(7). */
export const manPage = (program: Command, version: string): string =>
  [
    `.TH ATRIUM 1 "" "Atrium ${version}" "Atrium"`,
    ".SH NAME",
    "atrium \\- run and administer an Atrium installation",
    ".SH SYNOPSIS",
    ".B atrium",
    "[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]",
    ".SH DESCRIPTION",
    ...plainLines(`${program.description()}. The options below can be given before or after any command.`),
    ".SH OPTIONS",
    ...optionsOf(program),
    ...helpOption,
    ".SH COMMANDS",
    ...commandsBelow(program, "atrium"),
    ...notesOf(program),
    ".SH FILES",
    ".TP",
    ".I ./data",
    "The data folder, unless set with DATA_DIR or \\fB\\-\\-data\\-dir\\fR.",
    ".SH SEE ALSO",
    "The documentation of a running server at /docs, and its API reference at /swagger.",
    "",
  ].join("\n");

const helpOption = [
  ".TP",
  "\\fB\\-h\\fR, \\fB\\-\\-help\\fR",
  "Show help with examples; works with every command.",
];

const commandsBelow = (group: Command, words: string): string[] =>
  group.commands.flatMap((command) => {
    const name = `${words} ${command.name()}`;
    const isRun = command.commands.length === 0 || command.options.length > 0;
    return [...(isRun ? oneCommand(command, name) : []), ...commandsBelow(command, name)];
  });

const oneCommand = (command: Command, name: string): string[] => {
  const { exampleText } = helpAfter(command);
  return [
    `.SS "${emphasised(name)}"`,
    ".PP",
    `.B ${emphasised(name)}`,
    ...usageOf(command),
    ".PP",
    ...plainLines(command.description()),
    ...optionsOf(command),
    ...(exampleText === "" ? [] : [".PP", "Examples:", ...verbatim(exampleText)]),
  ];
};

const usageOf = (command: Command): string[] => {
  const words = command.registeredArguments.map((argument) => {
    const text = `\\fI${emphasised(argument.name())}\\fR${argument.variadic ? "..." : ""}`;
    return argument.required ? text : `[${text}]`;
  });
  const options = command.options.length > 0 ? ["[\\fIoptions\\fR]"] : [];
  const line = [...words, ...options].join(" ");
  return line === "" ? [] : [line];
};

const optionsOf = (command: Command): string[] =>
  command.options.flatMap((option) => [".TP", flagsOf(option), ...plainLines(aboutOf(option))]);

const flagsOf = ({ flags }: Option): string =>
  flags
    .split(", ")
    .map((flag) => {
      const [, name = "", value = ""] = /^(\S+)(.*)$/.exec(flag) ?? [];
      return `\\fB${emphasised(name)}\\fR${emphasised(value)}`;
    })
    .join(", ");

const aboutOf = ({ description, argChoices }: Option): string =>
  argChoices === undefined ? `${description}.` : `${description}: ${argChoices.join(", ")}.`;

/** The exit codes and whatever else the program's help says at its end. */
const notesOf = (program: Command): string[] => [".SH EXIT STATUS", ...verbatim(helpAfter(program).rest)];

const helpAfter = (command: Command): { exampleText: string; rest: string } => {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  const [exampleText = "", ...rest] = (help.split("\nExamples:\n")[1] ?? "").split("\nExit codes:\n");
  return { exampleText: exampleText.trimEnd(), rest: rest.join("\n").trimEnd() };
};

/**
 * Text as roff prints it, in ASCII: its backslashes are no commands, hyphens and quotes stay what can be typed, and whatever else
 * there is is given by its number, because roff doesn't read UTF-8. Forms of both groff and mandoc.
 */
export const emphasised = (text: string): string =>
  text.replace(
    /[\\\-"'`^~]|[^\t\n\u0020-\u007e]/gu,
    (character) => escapes[character] ?? byNumber(character),
  );

const escapes: Record<string, string> = {
  "\\": "\\e",
  "-": "\\-",
  '"': "\\(dq",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};

const byNumber = (character: string): string =>
  `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** Text in lines that roff fills: none begins as a command would. */
export const plainLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => safe(emphasised(line.trim())));

/** Text whose lines stay as they are, such as what is typed. */
const verbatim = (text: string): string[] => [
  ".PP",
  ".nf",
  ...text.split("\n").map((line) => (line.trim() === "" ? ".sp" : safe(emphasised(line)))),
  ".fi",
];

const safe = (line: string): string => (/^[.']/.test(line) ? `\\&${line}` : line);
