import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { OperationArgument, OperationOption } from "#contract/operation-commands.ts";
import { examples } from "./examples.ts";
import { printable } from "./output.ts";
import { planOption } from "./plan/planned.ts";
import { wholeNumber } from "./whole-number.ts";

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

/** Adds a declared command to its group, without anything that it does. Texts may come from elsewhere. */
export const declareCommand = (group: Command, command: DeclaredCommand): Command => {
  const added = group
    .command(command.name)
    .summary(printable(command.summary))
    .description(command.description.map((part) => printable(part)).join("\n\n"));
  for (const { name, summary, required = true, values = [] } of command.arguments) {
    const argument = new Argument(required ? `<${name}>` : `[${name}]`, printable(summary));
    added.addArgument(values.length === 0 ? argument : argument.choices(values));
  }
  for (const option of command.options) added.addOption(optionOf(option));
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

const optionOf = (option: OperationOption): Option => {
  const { name, summary, type = "string", values = [], initial, required = false } = option;
  if (type === "boolean") return new Option(`--${name}`, printable(summary));
  const { value = type === "integer" ? "number" : "value" } = option;
  const added = new Option(`--${name} <${value}>`, printable(summary)).makeOptionMandatory(required);
  if (type === "integer") added.argParser((text) => integer(text, option));
  if (values.length > 0) added.choices(values);
  return initial === undefined ? added : added.default(initial);
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
