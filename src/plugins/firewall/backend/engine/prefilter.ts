import type { Pattern, Subject } from "./engine-types.ts";

/** Tells which patterns may find something in a subject, in the order given. */
export type Prefilter = (subject: Subject) => Pattern[];

/**
 * Looks for everything that patterns need in one pass over each view (Aho and Corasick's automaton, 1975): what a text
 * has none of is not asked for.
 */
export const createPrefilter = (patterns: readonly Pattern[]): Prefilter => {
  const { classes, width, next, found } = createAutomaton(
    patterns.flatMap(({ needs = [] }, index) => needs.map((needle) => ({ needle, index }))),
  );
  const views = [...new Set(patterns.map(({ view }) => view))];
  const always = patterns.flatMap(({ needs }, index) => (needs === undefined ? [index] : []));
  /** Views as bits, so that one pass serves all of those that read the same. */
  const bits = Uint8Array.from(patterns, ({ view }) => 1 << views.indexOf(view));
  const stamps = new Uint32Array(patterns.length);
  let generation = 0;
  const search = (text: string, mask: number, indexes: number[]): void => {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      state = next[state * width + (code < 128 ? (classes[code] ?? 0) : 0)] ?? 0;
      const ending = found[state];
      if (ending === undefined) continue;
      for (const index of ending) {
        if (stamps[index] === generation || ((bits[index] ?? 0) & mask) === 0) continue;
        stamps[index] = generation;
        indexes.push(index);
      }
    }
  };
  return (subject) => {
    generation = (generation + 1) >>> 0;
    const indexes = [...always];
    const plain = subject.view("plain");
    let plainMask = 0;
    for (const [place, view] of views.entries()) {
      const text = subject.view(view);
      if (text === plain) plainMask |= 1 << place;
      else search(text, 1 << place, indexes);
    }
    if (plainMask !== 0) search(plain, plainMask, indexes);
    indexes.sort((a, b) => a - b);
    return indexes.flatMap((index) => {
      const pattern = patterns[index];
      return pattern === undefined || pattern.places?.includes(subject.place) === false ? [] : [pattern];
    });
  };
};

type Needle = { needle: string; index: number };

type Automaton = {
  /** Column of each ASCII character; 0 for those that no needle has. */
  classes: Uint8Array;
  width: number;
  /** Row of the state that follows, by state and column. */
  next: Int32Array;
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
  const next = new Int32Array(most * width);
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
