import type { CommandArgument, CommandOption, RawCommand } from "./plugin-commands.ts";

/**
 * A command that calls an operation, in the language of plugins' commands. Its name may begin with a word of its group, as in
 * `retention show`. The request is the operation's, and so is whether the command has `--plan` or, for a file, `--out`.
 */
export type OperationCommand = Omit<
  RawCommand,
  "call" | "confirm" | "input" | "arguments" | "options" | "examples"
> & {
  /** The name of the group that it is in, unless that is its module's. */
  group?: string;
  arguments?: readonly OperationArgument[];
  options?: readonly OperationOption[];
  examples: readonly { summary: string; typed: string }[];
  /** What it does for the table of what administrators do, such as "Delete a message"; the operator's alone have none. */
  action?: string;
  /** Input that the command's name says already. */
  fixed?: { readonly [name: string]: string | number | boolean };
  /**
   * Asked before; `{field}` stands for a field of what `reads`, an operation of the same module, answers, or without one of
   * what was looked up or typed. A question that data can't say has a view.
   */
  asks?: { question?: string; reads?: string };
  /**
   * What is printed when it is done; `{field}` stands for a field of the answer, `<field>` for one of the input, and of a file
   * `{size}` and `{file}` for how large it is and where it went. Commands without it, and without `output`, have a view.
   */
  message?: string;
  /** The field of the answer that it prints, where that is not all of it. */
  prints?: string;
  /** What is shown while it works, which may take minutes and can be interrupted: "making the snapshot", with fields of the input. */
  step?: string;
  /** Its `--ndjson`: prints each of `rows`, a field of the answer, as a line of JSON. */
  lines?: { rows: string; summary: string };
  /** It makes an installation where there is none; what a plan says there, with fields of the input. */
  begins?: string;
};

/** What words behind a command's name can be looked up as. */
export type Lookup = "account" | "registration" | "token" | "key";

/** A word behind such a command's name. */
export type OperationArgument = Pick<CommandArgument, "name" | "summary"> & {
  /** Whether it has to be typed; so it is unless given. */
  required?: boolean;
  /** The input that it is, where that is not called as it is. */
  field?: string;
  /** The only ones that it may be. */
  values?: readonly string[];
  /** Whether several may be typed; a view reads them. */
  repeats?: true;
  /** What it is looked up as. */
  finds?: Lookup;
};

/** An option of such a command. */
export type OperationOption = Pick<CommandOption, "name" | "summary"> & {
  /**
   * A number is whole, from `least` to `most`. A list is of words with commas, and the option may be repeated. A moment is a
   * date, a time or a span back from now.
   */
  type?: CommandOption["type"] | "list" | "moment";
  values?: readonly string[];
  /** What help shows for its value: `--limit <rows>`. */
  value?: string;
  /** The field of the input that it sets, unless that has its name. */
  field?: string;
  /** Whether only the command knows what to do with it, so that it is no input. */
  isOwn?: true;
  least?: number;
  most?: number;
  /** Its value unless given. */
  initial?: string | number;
  /** Whether it may be given more than once. */
  repeats?: true;
  required?: true;
};

/** Where a file goes; commands whose operation answers one have it behind their options, unless they give its place. */
export const outOption: OperationOption = {
  ...{ name: "out", value: "file" },
  summary: "write to this file instead of standard output, completely or not at all",
  isOwn: true,
};

/** The word under which the commands of a module are, and what is said of them. */
export type CommandGroup = {
  word: string;
  summary: string;
  description: string;
  /** The words below it. */
  groups?: { readonly [word: string]: { summary: string; description: string } };
};
