import type { Client, PluginCall } from "#cli/client.ts";
import { type GivenOptions, typedValue } from "#cli/declared-command.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { hasBody, type PluginCommand, pathNames } from "#contract/plugin-commands.ts";
import { callPresentPlugin } from "./call-present-plugin.ts";
import type { PluginWord } from "./plugin-word.ts";
import { readInput } from "./read-input.ts";
import { showAnswer } from "./show-answer.ts";

/** Runs a command of a plugin: asks what is to be asked, makes its one call and shows what came back. */
export const runPluginCommand = async (
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
    callPresentPlugin(open, plugin, call).catch((error: unknown) => {
      throw asUsage(command, error);
    });
  const answer =
    client === undefined ? await withClient(invocation, work) : await work(await asked(invocation, client));
  showAnswer(invocation.output, output, answer);
};

/** The client that the word was looked up with, which makes no change where only a plan was asked for. */
const asked = async ({ isPlan }: Invocation, client: Client): Promise<Client> =>
  isPlan ? (await import("#cli/plan/planning-client.ts")).planningClient(client) : client;

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
  return new CliFailure("USAGE", error.message, { errors, cause: error });
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
