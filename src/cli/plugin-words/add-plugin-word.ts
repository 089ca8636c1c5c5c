import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Client, PluginCall } from "#cli/client/client.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import {
  addExamples,
  declareCommand,
  type GivenOptions,
  typedValue,
} from "#cli/operations/declared-command.ts";
import { outputText } from "#cli/terminal/declared-output.ts";
import { printable } from "#cli/terminal/output.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";
import { type CommandInput, hasBody, type PluginCommand, pathNames } from "#contract/plugin-commands.ts";
import { callPresentPlugin, type PluginWord } from "./call-present-plugin.ts";

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
  if (confirm !== null) added.addHelpText("after", "\nAsks first, unless --yes is given.");
  addExamples(added, command.examples);
  added.action(
    handler<GivenOptions>(cli, (invocation, options) =>
      runPluginCommand(invocation, { ...word, command, options }),
    ),
  );
};

const inputHelp = (input: CommandInput | null): string[] =>
  input === null ? [] : [`${input.summary}: a hidden prompt asks for it, or it is read from standard input.`];

/** Runs a command of a plugin: asks what is to be asked, makes its one call and shows what came back. */
const runPluginCommand = async (
  invocation: Invocation,
  { plugin, command, options, client }: PluginWord & { command: PluginCommand; options: GivenOptions },
): Promise<void> => {
  const { confirm, input, output } = command;
  const words = wordsOf(command, invocation.args);
  if (confirm !== null) await invocation.confirm(async () => filledIn(confirm, words));
  // A plan neither asks for a secret nor sends it.
  const text =
    input === null || invocation.isPlan ? null : await readInput(invocation.terminal, input, options.file);
  const call = callOf(command, { words, options, text });
  const work = (open: Client) =>
    makeCall(invocation, open, { plugin, call }).catch((error: unknown) => {
      throw asUsage(command, error);
    });
  const answer = client === undefined ? await withClient(invocation, work) : await work(client);
  invocation.output.result(answer.data, (_, style) => outputText(output, answer, style));
};

type Made = { plugin: string; call: PluginCall };

/** Makes the call, or ends with what it would do where only a plan was asked for: commands that only read have none. */
const makeCall = async ({ isPlan }: Invocation, client: Client, { plugin, call }: Made) =>
  isPlan
    ? (await import("./plan-plugin-call.ts")).planPluginCall(client, plugin, call)
    : callPresentPlugin(client, plugin, call);

/**
 * A value of an option or argument that the route refuses was typed wrongly: the failure then names them as they are typed. What
 * came over standard input is no part of the command.
 */
const asUsage = ({ arguments: words, options }: PluginCommand, error: unknown): unknown => {
  if (!(error instanceof CliFailure) || error.kind !== "VALIDATION_FAILED") return error;
  const typedAs = (path: string): string | null => {
    const option = options.find(({ field }) => field === path);
    if (option !== undefined) return `--${option.name}`;
    return words.some(({ name }) => name === path) ? `<${path}>` : null;
  };
  const errors = error.errors.flatMap(({ path, message }) => {
    const typed = typedAs(path);
    return typed === null ? [] : [{ path: typed, message }];
  });
  if (errors.length === 0 || errors.length < error.errors.length) return error;
  return usage(error.message, { errors, cause: error });
};

type Words = Record<string, string>;

const wordsOf = (command: PluginCommand, args: readonly string[]): Words =>
  Object.fromEntries(
    command.arguments.flatMap(({ name }, at) => {
      const given = args[at];
      return given === undefined ? [] : [[name, given]];
    }),
  );

const filledIn = (question: string, words: Words): string =>
  question.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(words, name) ? (words[name] ?? "") : place,
  );

type Given = { words: Words; options: GivenOptions; text: string | null };

const callOf = (command: PluginCommand, { words, options, text }: Given): PluginCall => {
  const { method, path } = command.call;
  const inPath = pathNames(path);
  const typed = command.options.flatMap((option) => {
    const value = typedValue(options, option.name);
    return value === undefined ? [] : [{ ...option, value }];
  });
  const pick = (place: "query" | "body") =>
    Object.fromEntries(
      typed.filter((option) => option.in === place).map(({ field, value }) => [field, value]),
    );
  const [params, rest] = split(words, inPath);
  if (!hasBody(method)) return { method, path, params, query: { ...rest, ...pick("query") }, body: null };
  const field = command.input?.field;
  const own = field === undefined || text === null ? {} : { [field]: text };
  // A route may ask for an object although none of its fields is needed.
  const body = { ...command.call.body, ...rest, ...pick("body"), ...own };
  const call = { method, path, params, query: pick("query"), body };
  return field === undefined || text !== null ? call : { ...call, unread: field };
};

/** The words that are parts of the path, and the others. */
const split = (words: Words, inPath: readonly string[]): [Words, Words] => {
  const entries = Object.entries(words);
  return [
    Object.fromEntries(entries.filter(([name]) => inPath.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !inPath.includes(name))),
  ];
};

/**
 * What a command takes besides its words: the text of a file, what is typed at a prompt that does not show it, or standard
 * input; without the line break at its end. Throws `USAGE` when there is nothing.
 */
const readInput = async (terminal: Terminal, { summary }: CommandInput, file: unknown): Promise<string> => {
  const text = typeof file === "string" ? await fileText(file) : await askedOrPiped(terminal, summary);
  if (text !== "") return text;
  throw usage(`${summary}: no value was given; enter it at the prompt or give it on standard input`);
};

const askedOrPiped = async (terminal: Terminal, summary: string): Promise<string> =>
  terminal.isInputTerminal
    ? terminal.askSecret(printable(summary))
    : decoded(await terminal.readInput(), "standard input");

const fileText = async (path: string): Promise<string> => {
  const bytes = await readFile(path).catch((cause) => {
    throw usage(`cannot read the file ${path}`, { cause });
  });
  return decoded(bytes, path);
};

const decoded = (bytes: Uint8Array, place: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (cause) {
    throw usage(`${place} is not valid UTF-8`, { cause });
  }
};
