import type { Pattern, Place, Subject } from "./engine-types.ts";

/** Tells which patterns may find something in a subject, in no order; the list holds until the next call. */
type Prefilter = (subject: Subject) => readonly Pattern[];

const places = ["path", "query", "header", "cookie", "body"] as const;

/**
 * Looks for everything that patterns need in one pass over each view (Aho and Corasick's automaton, 1975): what a text
 * has none of is not asked for. A request may have thousands of texts, so that hardly anything is made anew for each.
 */
export const createPrefilter = (patterns: readonly Pattern[]): Prefilter => {
  const { classes, width, next, found } = createAutomaton(
    patterns.flatMap(({ needs = [] }, index) => needs.map((needle) => ({ needle, index }))),
  );
  const views = [...new Set(patterns.map(({ view }) => view))];
  const allViews = (1 << views.length) - 1;
  const always = Object.fromEntries(
    places.map((place) => [place, patterns.filter((pattern) => !pattern.needs && looksAt(pattern, place))]),
  );
  /** Views and places as bits, so that one pass serves all views that read the same. */
  const viewBits = Uint8Array.from(patterns, ({ view }) => 1 << views.indexOf(view));
  const placeBits = Uint8Array.from(patterns, (pattern) =>
    places.reduce((bits, place, at) => (looksAt(pattern, place) ? bits | (1 << at) : bits), 0),
  );
  const stamps = new Uint32Array(patterns.length);
  const stateStamps = new Uint32Array(found.length);
  const stateMasks = new Uint8Array(found.length);
  const candidates: Pattern[] = [];
  let generation = 0;
  const note = (state: number, mask: number, placeBit: number): void => {
    const ending = found[state];
    if (ending === undefined) return;
    // A text may have a quote a thousand times, and dozens of patterns need quotes: they are noted once.
    const seen = stateStamps[state] === generation ? (stateMasks[state] ?? 0) : 0;
    if ((seen & mask) === mask) return;
    stateStamps[state] = generation;
    stateMasks[state] = seen | mask;
    for (const index of ending) {
      if (stamps[index] === generation || ((viewBits[index] ?? 0) & mask) === 0) continue;
      stamps[index] = generation;
      const pattern = patterns[index];
      if (pattern !== undefined && ((placeBits[index] ?? 0) & placeBit) !== 0) candidates.push(pattern);
    }
  };
  const search = (text: string, mask: number, placeBit: number): void => {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      state = next[state * width + (code < 128 ? (classes[code] ?? 0) : 0)] ?? 0;
      // Most characters are within no needle.
      if (state !== 0) note(state, mask, placeBit);
    }
  };
  return (subject) => {
    generation = (generation + 1) >>> 0;
    candidates.length = 0;
    for (const pattern of always[subject.place] ?? []) candidates.push(pattern);
    const placeBit = 1 << places.indexOf(subject.place);
    const plain = subject.view("plain");
    let plainMask = allViews;
    if (!subject.isUniform) {
      for (const [at, view] of views.entries()) {
        const text = subject.view(view);
        if (text === plain) continue;
        plainMask &= ~(1 << at);
        search(text, 1 << at, placeBit);
      }
    }
    if (plainMask !== 0) search(plain, plainMask, placeBit);
    return candidates;
  };
};

const looksAt = (pattern: Pattern, place: Place): boolean => pattern.places?.includes(place) !== false;

type Needle = { needle: string; index: number };

type Automaton = {
  /** Column of each ASCII character; 0 for those that no needle has. */
  classes: Uint8Array;
  width: number;
  /** The state that follows, by state and column; small numbers, so that more of them are near at hand. */
  next: Uint16Array;
  /** Whose needles end at a state; none for most. */
  found: (readonly number[] | undefined)[];
};

const createAutomaton = (needles: readonly Needle[]): Automaton => {
  const classes = new Uint8Array(128);
  let width = 1;
  for (const { needle } of needles) {
    for (const character of needle) {
      const code = character.charCodeAt(0);
      if (code > 127) throw new Error(`not ASCII: ${needle}`);
      if (classes[code] === 0) classes[code] = width++;
    }
  }
  const most = needles.reduce((sum, { needle }) => sum + needle.length, 1);
  if (most > 0xffff) throw new Error("more needles than states have numbers");
  const next = new Uint16Array(most * width);
  const found: (number[] | undefined)[] = [undefined];
  let states = 1;
  for (const { needle, index } of needles) {
    let state = 0;
    for (const character of needle) {
      const column = state * width + (classes[character.charCodeAt(0)] ?? 0);
      if (next[column] === 0) {
        next[column] = states;
        states += 1;
        found.push(undefined);
      }
      state = next[column] ?? 0;
    }
    found[state] = [...(found[state] ?? []), index];
  }
  followFailures({ classes, width, next, found }, states);
  return { classes, width, next, found: found.map((indexes) => indexes && [...new Set(indexes)]) };
};

/** Gives every state the ways of the longest ending of its text that begins a needle too. */
const followFailures = ({ width, next, found }: Automaton, states: number): void => {
  const failures = new Int32Array(states);
  const queue: number[] = [];
  for (let column = 0; column < width; column += 1) {
    const state = next[column] ?? 0;
    if (state !== 0) queue.push(state);
  }
  for (const state of queue) {
    const failure = failures[state] ?? 0;
    const own = found[state];
    const inherited = found[failure];
    if (inherited !== undefined) found[state] = [...(own ?? []), ...inherited];
    for (let column = 0; column < width; column += 1) {
      const child = next[state * width + column] ?? 0;
      const fallback = next[failure * width + column] ?? 0;
      if (child === 0) next[state * width + column] = fallback;
      else {
        failures[child] = fallback;
        queue.push(child);
      }
    }
  }
};

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
