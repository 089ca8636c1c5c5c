import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { examples, type Invocation } from "#cli/invocation.ts";
import { planOption } from "#cli/planned.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import type { OperationArgument, OperationOption } from "#contract/operation.ts";
import type { Client } from "../client/client.ts";
import { type Column, formatTable } from "../terminal/table.ts";
import { collected, readMoment, wholeNumber } from "./typed-values.ts";

/** A command as a plugin's manifest or an operation declares it, and what follows from what it calls. */
export type DeclaredCommand = {
  name: string;
  summary: string;
  /** Paragraphs. */
  description: readonly string[];
  arguments: readonly Omit<OperationArgument, "field" | "finds">[];
  options: readonly OperationOption[];
  /** Whether it changes something, and so has `--plan`. */
  changes: boolean;
  examples: readonly { summary: string; typed: string }[];
};

/**
 * How a word is read that no declaration describes, by the name of its argument or option; of an option that is repeated,
 * `before` is what came of the former ones. Throws for a wrong one.
 */
export type Readers = { readonly [name: string]: (text: string, before?: never) => unknown };

/** Adds a declared command to its group, without anything that it does. Texts may come from elsewhere. */
export const declareCommand = (group: Command, command: DeclaredCommand, read: Readers = {}): Command => {
  const added = group
    .command(command.name)
    .summary(printable(command.summary))
    .description(command.description.map((part) => printable(part)).join("\n\n"));
  for (const { name, summary, required = true, values = [], repeats } of command.arguments) {
    const shown = repeats ? `${name}...` : name;
    const argument = new Argument(required ? `<${shown}>` : `[${shown}]`, printable(summary));
    if (values.length > 0) argument.choices(values);
    added.addArgument(readBy(read[name], argument));
  }
  for (const option of command.options) added.addOption(readBy(read[option.name], optionOf(option)));
  if (command.changes) added.option(...planOption);
  return added;
};

/** Adds the examples of a declared command, behind whatever else its help has. */
export const addExamples = (added: Command, pairs: DeclaredCommand["examples"]): void => {
  if (pairs.length === 0) return;
  added.addHelpText(
    "after",
    examples(...pairs.map(({ summary, typed }) => [printable(summary), printable(typed)] as const)),
  );
};

const readBy = <Word extends Argument | Option>(reader: Readers[string] | undefined, word: Word): Word => {
  // What it gets beside the text is what it has answered before.
  if (reader !== undefined) word.argParser((text: string, before: unknown) => reader(text, before as never));
  return word;
};

/** An option as commander has it. */
export const optionOf = (option: OperationOption): Option => {
  const { name, summary, type = "string", values = [], initial, repeats, required = false } = option;
  if (type === "boolean") return new Option(`--${name}`, printable(summary));
  const { value = type === "integer" ? "number" : "value" } = option;
  const added = new Option(`--${name} <${value}>`, printable(summary)).makeOptionMandatory(required);
  if (type === "integer") added.argParser((text) => integer(text, option));
  if (values.length > 0) added.choices(values);
  if (repeats) added.argParser(collected);
  if (type === "list") added.argParser((text, before?: string[]) => listed(text, { values, before }));
  if (type === "moment") added.argParser((text) => readMoment(text, new Date()));
  return initial === undefined ? added : added.default(initial);
};

/** Words that are separated by commas, given once or several times, each once; some of `values`, where there are any. */
const listed = (
  text: string,
  { values, before = [] }: { values: readonly string[]; before?: string[] | undefined },
): string[] => {
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("")) throw new InvalidArgumentError("A value is missing.");
  const wrong = words.filter((word) => values.length > 0 && !values.includes(word));
  if (wrong.length > 0)
    throw new InvalidArgumentError(`No such word: ${wrong.join(", ")}. Allowed are ${values.join(", ")}.`);
  return [...new Set([...before, ...words])];
};

const integer = (text: string, { least, most }: OperationOption): number => {
  if (least === undefined) {
    if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
    return Number(text);
  }
  const number = wholeNumber(text);
  if (most !== undefined && (number < least || number > most))
    throw new InvalidArgumentError(`It must be ${least} to ${most}.`);
  return number;
};

/** Options as they were typed, by their names in the program; those of all commands are among them. */
export type GivenOptions = Record<string, unknown>;

/** The value of an option: commander keeps `--per-hour` as `perHour`. */
export const typedValue = (options: GivenOptions, name: string): unknown =>
  options[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];

/** What was typed for options, by the fields of the input that they set. */
export const typedInput = (known: readonly OperationOption[], options: GivenOptions): object =>
  Object.fromEntries(
    known.flatMap(({ name, field = name, isOwn }) => {
      const value = typedValue(options, name);
      return isOwn ? [] : [[field, Array.isArray(value) ? value.join() : value]];
    }),
  );

/**
 * What a command does that no declaration can say: how it shows `Data`, what its operation answers, what it asks before, and
 * what it makes of its `Options`; or all of its work, where it has to decide what to call. `Given` is what was typed, or for a
 * question what is read for that.
 */
export type View<Data, Given = never, Options = Record<string, unknown>> = {
  /** How words are read that are neither texts nor what the declaration says. */
  read?: Readers;
} & (
  | {
      text?: (data: Data, style: Style, from: { isServer: boolean }) => string;
      /** What is asked before, where it takes more than a field of what there is; nothing for `null`. `input` is what was typed. */
      question?: (given: Given, input: Options) => Question;
      /** The total and the option for the next page, for a terminal; with `isNone` the list itself says that there are none. */
      counted?: (data: Data, input: Given) => string;
      isNone?: (data: Data) => boolean;
      /** What is told of the answer's bounds, wherever it is not counted. */
      notes?: (data: Data, input: Given) => string[];
      /** What the operation gets in place of the options, before anything is called. */
      input?: (invocation: Invocation, options: Options) => object | Promise<object>;
    }
  | { run: (invocation: Invocation, options: Options, input: Given) => Promise<void> }
);

/** A question, fixed or made from the server's response. */
export type Question = string | null | ((client: Client) => Promise<string>);

/** Rows as a table; on a terminal `none` in place of one without rows. */
export const listText = <Row>(
  rows: readonly Row[],
  { columns, none, style }: { columns: readonly Column<Row>[]; none: string; style: Style },
): string => (rows.length === 0 && style.isTerminal ? none : formatTable(columns, rows, style));
