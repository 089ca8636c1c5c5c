import type { Argument, Command, Option } from "commander";
import { isTypeable, isTypeablePath } from "./is-typeable.ts";
import { type ReadWords, readWords } from "./read-words.ts";

/** What may stand at a place: words with what they mean, or a path that the shell itself knows how to complete. */
export type Candidates =
  | { kind: "words"; words: readonly Candidate[] }
  | { kind: "files" | "folders"; words: readonly [] };

/** One word that may stand there; `about` may be empty. */
export type Candidate = { value: string; about: string };

/** What may stand at a place that the commands themselves do not list; `null` where anything may. */
export type FindValues = (place: Place) => Promise<readonly Candidate[] | null>;

/** A place in a command line: the command's full name without `atrium`, and what it takes there. */
export type Place = {
  command: string;
  /** The option as it is written, or the number of the operand. */
  takes: string | number;
  /** The operands before it. */
  operands: readonly string[];
};

/** What may stand for the last of `words`, which may be empty, beginning with what it holds already. */
export const completeWords = async (
  program: Command,
  words: readonly string[],
  findValues: FindValues,
): Promise<Candidates> => {
  const current = words.at(-1) ?? "";
  const read = readWords(program, words.slice(0, -1));
  if (read.awaiting !== null) return beginningWith(current, await valuesOf(read, read.awaiting, findValues));
  if (read.isLiteral || !current.startsWith("-"))
    return beginningWith(current, await operandValues(read, findValues));
  const assigned = /^(--[\w-]+)=(.*)$/s.exec(current);
  if (assigned === null) return beginningWith(current, listed(optionNames(read)));
  const [, name = "", value = ""] = assigned;
  const option = read.options.find(({ long }) => long === name);
  if (option === undefined) return nothing;
  const found = beginningWith(value, await valuesOf(read, option, findValues));
  if (found.kind !== "words") return found;
  return listed(found.words.map((word) => ({ ...word, value: `${name}=${word.value}` })));
};

const listed = (words: readonly Candidate[]): Candidates => ({ kind: "words", words });
const nothing = listed([]);

const beginningWith = (start: string, found: Candidates): Candidates =>
  found.kind === "words" ? listed(found.words.filter(({ value }) => value.startsWith(start))) : found;

const optionNames = ({ options, used }: ReadWords): Candidate[] =>
  options
    .filter((option) => !option.hidden && (option.variadic || !used.includes(option)))
    .map(({ long, short, description }) => ({ value: long ?? short ?? "", about: description }));

/** The commands of a group, as help has them. */
export const commandsBelow = (group: Command): readonly Candidate[] =>
  group.commands
    .filter((child) => !isHidden(child))
    .map((child) => ({ value: child.name(), about: child.summary() || child.description() }));

const operandValues = async (read: ReadWords, findValues: FindValues): Promise<Candidates> => {
  const { command, operands } = read;
  const below = commandsBelow(command);
  if (below.length > 0 && operands.length === 0) return listed(below);
  const taken = command.registeredArguments;
  const argument = taken[operands.length] ?? taken.findLast(({ variadic }) => variadic);
  return argument === undefined ? nothing : valuesOf(read, argument, findValues);
};

const valuesOf = async (
  { operands, path }: ReadWords,
  taken: Argument | Option,
  findValues: FindValues,
): Promise<Candidates> => {
  if (taken.argChoices) return listed(taken.argChoices.map((value) => ({ value, about: "" })));
  const isOption = "flags" in taken;
  const command = path.join(" ");
  const found = await findValues({
    command,
    takes: isOption ? (taken.long ?? "") : operands.length,
    operands,
  });
  // Names that others chose: of a backup, say, which lies in a bucket.
  const isFit = command === "api" ? isTypeablePath : isTypeable;
  if (found !== null) return listed(found.filter(({ value }) => isFit(value)));
  const name = isOption ? (/[<[]([\w-]+)/.exec(taken.flags)?.[1] ?? "") : taken.name();
  if (folderNames.includes(name)) return { kind: "folders", words: [] };
  return fileNames.includes(name) ? { kind: "files", words: [] } : nothing;
};

// What a value is called in help says whether it is a path.
const folderNames = ["folder"];
const fileNames = ["file", "path", "backup"];

// Commander keeps it to itself; a command that help leaves out is not offered either.
const isHidden = (command: Command): boolean => Reflect.get(command, "_hidden") === true;
