import type { Argument, Command, Option } from "commander";

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

/** What the words before a place came to. */
type ReadWords = {
  command: Command;
  /** The names of the groups and of the command, without the program's own. */
  path: readonly string[];
  operands: readonly string[];
  /** The options that the command takes, its own first. */
  options: readonly Option[];
  used: readonly Option[];
  /** The option whose value comes next. */
  awaiting: Option | null;
  /** Whether `--` was read: everything behind it is an operand. */
  isLiteral: boolean;
  /** Values of the options that were given, by their names. */
  given: ReadonlyMap<string, string>;
};

/** Reads the finished words of a command line as the program would, as far as it can; what it does not know is passed over. */
export const readWords = (program: Command, words: readonly string[]): ReadWords => {
  const start: ReadWords = {
    command: program,
    path: [],
    operands: [],
    options: optionsOf(program),
    used: [],
    awaiting: null,
    isLiteral: false,
    given: new Map(),
  };
  return words.reduce(readWord, start);
};

const readWord = (read: ReadWords, word: string): ReadWords => {
  const { command, awaiting, isLiteral } = read;
  if (awaiting !== null) return { ...withValue(read, awaiting, word), awaiting: null };
  if (isLiteral) return { ...read, operands: [...read.operands, word] };
  if (word === "--") return { ...read, isLiteral: true };
  if (word.startsWith("-") && word !== "-") return readOption(read, word);
  const child = read.operands.length > 0 ? undefined : command.commands.find((one) => one.name() === word);
  if (child === undefined) return { ...read, operands: [...read.operands, word] };
  return { ...read, command: child, path: [...read.path, word], options: optionsOf(child) };
};

const readOption = (read: ReadWords, word: string): ReadWords => {
  const [, name = word, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  const option = read.options.find(({ long, short }) => long === name || short === name);
  if (option === undefined) return read;
  const used = { ...read, used: [...read.used, option] };
  if (value !== undefined) return withValue(used, option, value);
  return option.required || option.optional ? { ...used, awaiting: option } : used;
};

const withValue = (read: ReadWords, { long }: Option, value: string): ReadWords => ({
  ...read,
  given: new Map([...read.given, [long ?? "", value]]),
});

const optionsOf = (command: Command): Option[] => {
  const help = command.createHelp();
  const own = help.visibleOptions(command);
  const inherited = help.visibleGlobalOptions(command);
  return [...own, ...inherited.filter(({ long }) => own.every((option) => option.long !== long))];
};

/**
 * Whether a word may stand on a command line as it is. bash and PowerShell put what is offered there unquoted, so that a space
 * would part it, a `$(…)` would be run, and a dash in front would make an option of it.
 */
export const isTypeable = (word: string): boolean => /^[\w.@][\w.@-]*$/.test(word);

/** The same for a path of the API, which begins with a slash; plugins' may hold `$()` and quotes. */
const isTypeablePath = (word: string): boolean => /^\/[\w./@-]*$/.test(word);
