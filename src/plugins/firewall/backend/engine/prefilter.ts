import type { Pattern, Place, Subject } from "./engine-types.ts";

/** Tells which patterns may find something in a subject, in no order; the list holds until the next call. */
export type Prefilter = (subject: Subject) => readonly Pattern[];

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
