import type { Pattern } from "./engine-types.ts";

/**
 * Texts of which every match of an expression has at least one, in lower case; `null` where nothing useful can be said. An
 * expression's literal pieces are gathered as in Cox, "Regular expression matching with a trigram index" (2012).
 */
export const requiredTexts = (expression: RegExp): readonly string[] | null => {
  const reader: Reader = { source: expression.source, at: 0 };
  const texts = requiredOf(readChoice(reader));
  if (reader.at < reader.source.length || texts === null) return null;
  const lower = [...new Set(texts.map((text) => text.toLowerCase()))];
  return lower.every(isTelling) ? lower : null;
};

/** What nearly every text has tells nothing, and the search for needles is for ASCII. */
const isTelling = (text: string): boolean => /^[\0-\x7f]+$/u.test(text) && !/^[a-z\d .,-]?$/.test(text);

/** What a piece of an expression matches: just these texts, or anything that has one of those. */
type Piece = { exact: readonly string[] | null; required: readonly string[] | null };
type Reader = { source: string; at: number };

const nothing: Piece = { exact: [""], required: null };
const anything: Piece = { exact: null, required: null };
const mostTexts = 64;

const requiredOf = ({ exact, required }: Piece): readonly string[] | null =>
  exact?.every((text) => text !== "") ? exact : required;

const readChoice = (reader: Reader): Piece => {
  const branches = [readRow(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    branches.push(readRow(reader));
  }
  const [only] = branches;
  if (branches.length === 1 && only !== undefined) return only;
  const exact = branches.flatMap((branch) => branch.exact ?? []);
  const isExact = branches.every((branch) => branch.exact !== null) && exact.length <= mostTexts;
  const required = branches.map(requiredOf);
  return {
    exact: isExact ? exact : null,
    required: required.every((texts) => texts !== null) ? required.flat() : null,
  };
};

const readRow = (reader: Reader): Piece => {
  let run: readonly string[] = [""];
  let best: readonly string[] | null = null;
  let isExact = true;
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source.charAt(reader.at))) {
    const piece = readRepeated(reader);
    if (piece.exact !== null && run.length * piece.exact.length <= mostTexts) {
      const ends = piece.exact;
      run = run.flatMap((start) => ends.map((end) => start + end));
      continue;
    }
    isExact = false;
    best = better(better(best, run), requiredOf(piece));
    run = piece.exact ?? [""];
  }
  return isExact ? { exact: run, required: null } : { exact: null, required: better(best, run) };
};

/** The one whose shortest text is longer. */
const better = (a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null => {
  if (b === null || shortest(b) === 0) return a;
  return a === null || shortest(b) > shortest(a) ? b : a;
};

const shortest = (texts: readonly string[]): number => Math.min(...texts.map(({ length }) => length));

const repeat = /(?:[*+?]|\{(\d+)(,\d*)?\})\??/y;

const readRepeated = (reader: Reader): Piece => {
  const piece = readAtom(reader);
  repeat.lastIndex = reader.at;
  const match = repeat.exec(reader.source);
  if (match === null) return piece;
  reader.at += match[0].length;
  const sign = match[0].charAt(0);
  const least = sign === "{" ? Number(match[1]) : Number(sign === "+");
  if (least > 0) return match[0] === "{1}" ? piece : { exact: null, required: requiredOf(piece) };
  return sign === "?" && piece.exact !== null ? { exact: ["", ...piece.exact], required: null } : anything;
};

const group = /\((?:\?(?:<(?![=!])[^>]*>|<?[=!]|:))?/y;

const readAtom = (reader: Reader): Piece => {
  const { source } = reader;
  const character = source.charAt(reader.at);
  if (character === "(") {
    group.lastIndex = reader.at;
    const opening = group.exec(source)?.[0] ?? "(";
    reader.at += opening.length;
    const piece = readChoice(reader);
    reader.at += 1;
    return /[=!]$/.test(opening) ? nothing : piece;
  }
  if (character === "[") return readClass(reader);
  if (character === "\\") return readEscape(reader);
  reader.at += 1;
  if (character === "^" || character === "$") return nothing;
  return character === "." ? anything : { exact: [character], required: null };
};

const controls: Record<string, string> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" };

const readEscape = (reader: Reader): Piece => {
  const letter = reader.source.charAt(reader.at + 1);
  const code = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i.exec(reader.source.slice(reader.at + 1, reader.at + 6));
  reader.at += 1 + (code?.[0].length ?? 1);
  if (code !== null)
    return { exact: [String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16))], required: null };
  if (/[bB]/.test(letter)) return nothing;
  const control = controls[letter];
  if (control !== undefined) return { exact: [control], required: null };
  return /[\w]/.test(letter) ? anything : { exact: [letter], required: null };
};

const charClass = /\[(\^?)((?:\\.|[^\]\\])*)\]/y;

/** A class of a few characters is a choice between them. */
const readClass = (reader: Reader): Piece => {
  charClass.lastIndex = reader.at;
  const match = charClass.exec(reader.source);
  reader.at += match?.[0].length ?? 1;
  const [, negation = "^", content = ""] = match ?? [];
  const isPlain = !/\\[a-z\d]|.-./i.test(content.replace(/\\[nrt]/g, "!"));
  const characters = [
    ...content.replace(/\\(.)/g, (_, letter) => controls[String(letter)] ?? String(letter)),
  ];
  return negation === "" && isPlain && characters.length <= 8
    ? { exact: characters, required: null }
    : anything;
};

/**
 * A pattern that is one expression, linear and without the flag `g`; it needs what its expression requires, unless it says itself
 * what it needs.
 */
export const matching = (pattern: Omit<Pattern, "find">, expression: RegExp): Pattern => {
  const needs = pattern.needs ?? requiredTexts(expression);
  return {
    ...pattern,
    ...(needs === null ? {} : { needs }),
    find: (text) => expression.exec(text)?.[0] ?? null,
  };
};
