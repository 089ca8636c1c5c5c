import type { DeclaredPath } from "#contract/core-settings.ts";
import {
  type DurationSetting,
  durationWord,
  type IntegerSetting,
  mayBeEmpty,
  wordsOf,
} from "#contract/define-settings.ts";
import { CliFailure } from "./failure.ts";
import { aboutOf, settingPath, settingPaths } from "./setting-paths.ts";
import type { Terminal } from "./terminal.ts";

/** A setting with its new value; `null` removes a secret. */
export type SettingInput = { path: DeclaredPath; value: string | number | boolean | null };

/** Where values come from besides the words: standard input, or nowhere because the settings are to be cleared. */
export type InputWays = { isFromInput: boolean; isCleared: boolean };

/**
 * The settings that the words name, in pairs of path and value. Secrets have no value among the words: they are asked
 * for, or read from standard input, a line each when there are several. Throws `USAGE` for words that do not fit.
 */
export const readSettings = async (
  terminal: Terminal,
  words: readonly string[],
  ways: InputWays,
): Promise<SettingInput[]> => {
  const named = pairUp(words, ways);
  const twice = named.find(({ path }, at) => named.findIndex((other) => other.path === path) !== at);
  if (twice !== undefined) throw usage(`${twice.path} was given twice`);
  const missing = named.filter(({ text }) => text === null);
  if (ways.isCleared) return named.map(({ path }) => ({ path, value: emptied(path) }));
  const texts = ways.isFromInput ? await inputLines(terminal, missing.length) : [];
  const inputs: SettingInput[] = [];
  for (const { path, text } of named)
    inputs.push(typed(path, text ?? texts.shift() ?? (await askFor(terminal, path))));
  return inputs;
};

type Named = { path: DeclaredPath; text: string | null };

const pairUp = (words: readonly string[], { isFromInput, isCleared }: InputWays): Named[] => {
  const named: Named[] = [];
  for (let at = 0; at < words.length; ) {
    const path = settingPath(words[at] ?? "");
    const { kind } = settingPaths[path];
    const next = words[at + 1];
    // A secret's value is asked for; whatever follows it is another path or a mistake.
    const isAlone =
      kind === "secret" || isCleared || (isFromInput && (next === undefined || isPathLike(next)));
    if (isAlone && next !== undefined && !isPathLike(next))
      throw isCleared ? surplus() : secretArgument(path);
    if (!isAlone && next === undefined)
      throw usage(
        `a value for ${path} is missing; give it behind the path, or on standard input with --stdin`,
      );
    if (!isAlone && kind === "endpoint" && hasPassword(next ?? "")) throw secretArgument(path);
    named.push({ path, text: isAlone ? null : (next ?? "") });
    at += isAlone ? 1 : 2;
  }
  if (named.length === 0) throw usage("a path is missing; see: atrium settings set --help");
  return named;
};

const isPathLike = (word: string): boolean => /^(?:(?:core|credentials)\.\w+|accounts)\.\w+$/.test(word);

/** Whether a password stands in an address, well written or not. */
export const hasPassword = (address: string): boolean => /:\/\/[^@]*:[^@]*@/.test(address);

const emptied = (path: DeclaredPath): string | null => {
  const setting = settingPaths[path];
  if (setting.kind === "secret") return null;
  if (mayBeEmpty(setting)) return "";
  throw usage(`${path} cannot be cleared: it always has a value`);
};

const typed = (path: DeclaredPath, text: string): SettingInput => {
  const setting = settingPaths[path];
  if (setting.kind === "integer") return { path, value: integerIn(path, text, setting) };
  if (setting.kind === "duration") return { path, value: durationIn(path, text, setting) };
  if (setting.kind === "switch") return { path, value: switchIn(path, text) };
  if (setting.kind === "secret" && text === "")
    throw usage(`${path} is empty; to remove what is stored, use: atrium settings set ${path} --clear`);
  return { path, value: text };
};

const integerIn = (path: DeclaredPath, text: string, { min, max }: IntegerSetting): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`${path} must be a whole number from ${min} to ${max}`);
};

const durationIn = (path: DeclaredPath, text: string, setting: DurationSetting): number => {
  const ms = setting.options.find((option) => durationWord(option) === text);
  if (ms !== undefined) return ms;
  // Which numbers are good the server says, as of every other value.
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`${path} must be ${wordsOf(setting).join(", ")}, or one of these in milliseconds`);
};

const switchIn = (path: DeclaredPath, text: string): boolean => {
  if (["true", "on"].includes(text)) return true;
  if (["false", "off"].includes(text)) return false;
  throw usage(`${path} must be on or off`);
};

const inputLines = async (terminal: Terminal, count: number): Promise<string[]> => {
  if (count === 0) throw usage("every value stands in the command line already; leave out --stdin");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await terminal.readInput());
  } catch (error) {
    throw new CliFailure("USAGE", "standard input is not valid UTF-8", { cause: error });
  }
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (lines.length === count) return lines;
  throw usage(`standard input has ${lines.length} lines; ${count} are needed, one for each value`);
};

const askFor = async (terminal: Terminal, path: DeclaredPath): Promise<string> => {
  if (terminal.isInputTerminal) return terminal.askSecret(aboutOf(settingPaths[path]));
  throw usage(`there is no terminal to ask for ${path} on: pass it on standard input with --stdin`);
};

const surplus = (): CliFailure => usage("--clear takes paths alone");

const secretArgument = (path: DeclaredPath): CliFailure =>
  usage(
    `secrets are never taken from an argument, where other users and the shell's history see them: leave ${path}'s value to the prompt, or pass it on standard input with --stdin`,
  );

const usage = (message: string): CliFailure => new CliFailure("USAGE", message);
