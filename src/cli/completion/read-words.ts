import type { Command, Option } from "commander";

/** What the words before a place came to. */
export type ReadWords = {
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
