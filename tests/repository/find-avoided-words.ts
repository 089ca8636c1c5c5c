import type { SourceFile } from "./find-import-violations.ts";
import { avoidedWords, checkedTexts, quotedTexts, wordExceptions } from "./plain-words.ts";

const patterns = avoidedWords.map(({ avoid, write }) => ({
  pattern: new RegExp(`(?<![\\w/.-])(?:${avoid})(?![\\w-])`, "gi"),
  write,
}));

/** One sentence for each avoided word in a checked text, with its line. */
export const findAvoidedWords = (files: readonly SourceFile[], globs = checkedTexts): string[] =>
  files.filter(({ path }) => globs.some((glob) => new Bun.Glob(glob).match(path))).flatMap(complaints);

const complaints = ({ path, text }: SourceFile): string[] => {
  const exceptions = wordExceptions.filter(({ file }) => file === path);
  if (exceptions.some(({ phrases }) => phrases === undefined)) return [];
  const phrases = [...quotedTexts, ...exceptions.flatMap((exception) => exception.phrases ?? [])];
  const checked = phrases.reduce(blanked, text);
  const prose = path.endsWith(".md") ? markdownProse(checked) : literals(checked);
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

/** The string literals of a program; what is left keeps its place. */
const literals = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, spaces)
    .replace(
      /("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|[^"`]+/g,
      (part, literal?: string) => literal ?? spaces(part),
    );

const spaces = (part: string): string => part.replace(/[^\n]/g, " ");

const blanked = (text: string, phrase: string): string => text.replaceAll(phrase, spaces);
