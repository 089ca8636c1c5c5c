import { describe, expect, test } from "bun:test";
import type { SourceFile } from "./find-import-violations.ts";
import { avoidedWords, checkedTexts, quotedTexts, wordExceptions } from "./plain-words.ts";
import { sourceFiles } from "./source-files.ts";

const files = sourceFiles("README.md", "CHANGELOG.md", "docs", "scripts", "src", "tests");
const complaints = (text: string, path = "docs/planted.md"): string[] => findAvoidedWords([{ path, text }]);

test("documents, the interface and the checked folders use plain words", () => {
  expect(findAvoidedWords(files)).toEqual([]);
});

test("every exception is still needed", () => {
  const needless = wordExceptions.flatMap(({ file, phrases = [] }) => {
    const text = files.find(({ path }) => path === file)?.text ?? "";
    if (text === "") return [file];
    return phrases.filter((phrase) => !text.includes(phrase));
  });
  expect(needless).toEqual([]);
});

describe("an avoided word", () => {
  test("is found with its line and what to write, in any case and over the end of a line", () => {
    expect(complaints("Fine.\n\nWhoever asks, it happens at\nonce.")).toEqual([
      'docs/planted.md:3: "Whoever": write someone, anyone, user, member',
      'docs/planted.md:3: "at once": write immediately, at the same time',
    ]);
  });

  test("is not found in code, link targets and quoted texts, nor as part of another word", () => {
    expect(
      complaints("`somebody`\n\n```sh\nlogin at once\n```\n[Sign in](login.md) https://a.example/login"),
    ).toEqual([]);
    expect(complaints(quotedTexts.join("\n"))).toEqual([]);
    expect(complaints("The mail server in a classroom, tell-somebody-else")).toEqual([]);
  });

  test("is looked for only where texts are checked", () => {
    expect(complaints("somebody", "src/api/planted.md")).toEqual([]);
  });

  test("is found in the string literals of a program, once its folder is listed", () => {
    const path = "src/plugins/planted-texts.ts";
    const text = '/** somebody */\nconst somebody = {\n  title: "Tell somebody",\n};';
    expect(complaints(text, path)).toEqual([]);
    expect(findAvoidedWords([{ path, text }], ["src/**/*-texts.ts"])).toEqual([
      `${path}:3: "somebody": write someone, anyone, user, member`,
    ]);
  });

  test("is found in labels and between JSX tags, and not in keys, paths, class names and code", () => {
    const path = "src/ui/planted.tsx";
    const text = [
      'import { mail } from "#ui/mail.ts";',
      'const kind: Map<string, "mail"> = mail > room && room < mail ? "mail" : `/mail/$' + "{mail.room}`;",
      "const Planted = ({ mail }: Props) => (",
      '  <p className="room" title="Mail">',
      "    Ask somebody at",
      "    once, {mail} nobody <b>anew</b>",
      "  </p>",
      ");",
    ].join("\n");
    expect(complaints(text, path).toSorted()).toEqual([
      `${path}:4: "Mail": write email, email address`,
      `${path}:5: "at     once": write immediately, at the same time`,
      `${path}:5: "somebody": write someone, anyone, user, member`,
      `${path}:6: "anew": write again`,
      `${path}:6: "nobody": write someone, anyone, user, member`,
    ]);
  });
});

const patterns = avoidedWords.map(({ avoid, write }) => ({
  pattern: new RegExp(`(?<![\\w/.-])(?:${avoid.replaceAll(" ", " +")})(?![\\w-]|\\.\\w)`, "gi"),
  write,
}));

/** One sentence for each avoided word in a checked text, with its line. */
const findAvoidedWords = (files: readonly SourceFile[], globs = checkedTexts): string[] =>
  files.filter(({ path }) => isChecked(path, globs)).flatMap(complaintsAbout);

const isChecked = (path: string, globs: readonly string[]): boolean => {
  const matching = globs.filter((glob) => new Bun.Glob(glob.replace(/^!/, "")).match(path));
  return matching.length > 0 && !matching.some((glob) => glob.startsWith("!"));
};

const complaintsAbout = ({ path, text }: SourceFile): string[] => {
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
