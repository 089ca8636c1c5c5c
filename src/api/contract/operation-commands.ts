import type { CommandOption, RawCommand } from "./plugin-commands.ts";

/**
 * A command that calls an operation, in the language of plugins' commands. The request is the operation's, and so is
 * whether the command has `--plan` or, for a file, `--out`.
 */
export type OperationCommand = Omit<
  RawCommand,
  "call" | "confirm" | "output" | "input" | "options" | "examples"
> & {
  options?: readonly OperationOption[];
  examples: readonly { summary: string; typed: string }[];
  /** What it does for the table of actions in the manual, such as "Delete a message". */
  action: string;
  /** Input that the command's name says already. */
  fixed?: { readonly [name: string]: string | number | boolean };
  /** Asked before; `{field}` stands for a field of what `reads`, an operation of the same module, answers. */
  asks?: { question: string; reads: string };
  /** What is printed when it is done; `{field}` stands for a field of the answer. Commands without it have a view. */
  message?: string;
  /** Its `--ndjson`: prints each of `rows`, a field of the answer, as a line of JSON. */
  lines?: { rows: string; summary: string };
};

/** An option of such a command. A number is whole, from `least` to `most`. */
export type OperationOption = Pick<CommandOption, "name" | "summary"> & {
  type?: CommandOption["type"];
  values?: readonly string[];
  /** What help shows for its value: `--limit <rows>`. */
  value?: string;
  least?: number;
  most?: number;
  /** Its value unless given. */
  initial?: string;
};

/** The word under which the commands of a module are, and what is said of them. */
export type CommandGroup = { word: string; summary: string; description: string };
