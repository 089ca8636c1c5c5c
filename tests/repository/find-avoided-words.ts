import type { SourceFile } from "./find-import-violations.ts";
import { avoidedWords, checkedTexts, quotedTexts, wordExceptions } from "./plain-words.ts";

const patterns = avoidedWords.map(({ avoid, write }) => ({
  pattern: new RegExp(`(?<![\\w/.-])(?:${avoid.replaceAll(" ", " +")})(?![\\w-]|\\.\\w)`, "gi"),
  write,
}));

/** One sentence for each avoided word in a checked text, with its line. */
export const findAvoidedWords = (files: readonly SourceFile[], globs = checkedTexts): string[] =>
  files.filter(({ path }) => isChecked(path, globs)).flatMap(complaints);

const isChecked = (path: string, globs: readonly string[]): boolean => {
  const matching = globs.filter((glob) => new Bun.Glob(glob.replace(/^!/, "")).match(path));
  return matching.length > 0 && !matching.some((glob) => glob.startsWith("!"));
};

const complaints = ({ path, text }: SourceFile): string[] => {
  const exceptions = wordExceptions.filter(({ file }) => file === path);
  if (exceptions.some(({ phrases }) => phrases === undefined)) return [];
  const phrases = [...quotedTexts, ...exceptions.flatMap((exception) => exception.phrases ?? [])];
  const checked = phrases.reduce(blanked, text);
  const prose = path.endsWith(".md") ? markdownProse(checked) : programTexts(path, checked);
  // A phrase may run over the end of a line.
  const flat = prose.replaceAll("\n", " ");
  return patterns.flatMap(({ pattern, write }) =>
    [...flat.matchAll(pattern)].map(
      ({ 0: word, index }) =>
        `${path}:${prose.slice(0, index).split("\n").length}: "${word}": write ${write}`,
    ),
  );
};

/** Markdown without code, link targets, addresses and names of pages; what is left keeps its place. */
const markdownProse = (text: string): string =>
  text.replace(/^ *```[\s\S]*?^ *```$|`[^`]*`|\]\([^)]*\)|https?:\/\/[^\s)>]+|[\w/-]+\.md\b/gm, spaces);

/** The texts of a program, in string literals and between JSX tags; what is left keeps its place. */
const programTexts = (path: string, text: string): string => {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, spaces);
  const texts = literals(code);
  if (!path.endsWith(".tsx")) return texts;
  const shown = jsxTexts(code);
  return texts.replace(/ +/g, (gap, index: number) => shown.slice(index, index + gap.length));
};

/** A literal is a text when it has a space or begins with a capital letter: others are keys, class names and paths. */
const literals = (code: string): string =>
  code.replace(/("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|[^"`]+/g, (part, literal?: string) =>
    literal !== undefined && /^.[A-Z]|\s/.test(literal)
      ? literal.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, spaces)
      : spaces(part),
  );

/** The texts after a tag, which no space precedes unless it has a line of its own, or an expression, up to the next of them. */
const jsxTexts = (code: string): string =>
  [...code.matchAll(/(?:(?<![=\s])>|^\s*>|\})([^<>{}();=]+)(?=<\/?[A-Za-z>]|\{)/gm)].reduce(
    (found, { 0: whole, 1: shown = "", index }) => {
      const start = index + whole.length - shown.length;
      return found.slice(0, start) + shown + found.slice(start + shown.length);
    },
    spaces(code),
  );

const spaces = (part: string): string => part.replace(/[^\n]/g, " ");

const blanked = (text: string, phrase: string): string => text.replaceAll(phrase, spaces);
