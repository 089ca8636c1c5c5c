/** A text to look for, at the beginning of others or anywhere in them, and the number (0 to 127) it belongs to. */
export type SoughtText = { text: string; isPrefix: boolean; owner: number };

/** Adds to `found`, four 32-bit words, a bit for each owner of a text that occurs. */
export type TextMatcher = (text: string, found: Uint32Array) => void;

const words = 4;
// Node and character make one key; a character is a UTF-16 code unit.
const characters = 65_536;

/**
 * Looks for all texts in one pass, so that time grows with the length of what is looked through and not with the number
 * of texts. Both must be folded alike before. Source: Aho and Corasick 1975.
 */
export const createTextMatcher = (sought: readonly SoughtText[]): TextMatcher => {
  const anywhere = buildTrie(sought.filter(({ isPrefix }) => !isPrefix));
  const prefixes = buildTrie(sought.filter(({ isPrefix }) => isPrefix));
  const fallbacks = linkFallbacks(anywhere);
  return (text, found) => {
    if (prefixes.size > 1) walk(prefixes, text, found);
    if (anywhere.size > 1) scan(anywhere, fallbacks, text, found);
  };
};

type Trie = { next: Map<number, number>; marks: Uint32Array; size: number };

const buildTrie = (sought: readonly SoughtText[]): Trie => {
  const next = new Map<number, number>();
  const most = sought.reduce((sum, { text }) => sum + text.length, 1);
  const marks = new Uint32Array(most * words);
  let size = 1;
  for (const { text, owner } of sought) {
    let node = 0;
    for (let at = 0; at < text.length; at += 1) {
      const key = node * characters + text.charCodeAt(at);
      node = next.get(key) ?? size;
      if (node === size) {
        next.set(key, node);
        size += 1;
      }
    }
    const word = node * words + (owner >> 5);
    marks[word] = (marks[word] ?? 0) | (1 << (owner & 31));
  }
  return { next, marks, size };
};

/** For each node the longest other one that the text so far ends with; each then bears its marks, too. */
const linkFallbacks = ({ next, marks, size }: Trie): Uint32Array => {
  const fallbacks = new Uint32Array(size);
  const children = new Map<number, [character: number, child: number][]>();
  for (const [key, child] of next) {
    const parent = Math.floor(key / characters);
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [[key % characters, child]]);
    else list.push([key % characters, child]);
  }
  const queue = [0];
  for (const node of queue) {
    for (const [character, child] of children.get(node) ?? []) {
      queue.push(child);
      if (node === 0) continue;
      const fallback = step({ next, fallbacks }, fallbacks[node] ?? 0, character);
      fallbacks[child] = fallback;
      addMarks(marks, fallback, marks, child);
    }
  }
  return fallbacks;
};

const step = (
  { next, fallbacks }: { next: Map<number, number>; fallbacks: Uint32Array },
  from: number,
  character: number,
): number => {
  let node = from;
  for (;;) {
    const child = next.get(node * characters + character);
    if (child !== undefined) return child;
    if (node === 0) return 0;
    node = fallbacks[node] ?? 0;
  }
};

const addMarks = (from: Uint32Array, node: number, to: Uint32Array, target: number): void => {
  for (let word = 0; word < words; word += 1) {
    const at = target * words + word;
    to[at] = (to[at] ?? 0) | (from[node * words + word] ?? 0);
  }
};

const scan = ({ next, marks }: Trie, fallbacks: Uint32Array, text: string, found: Uint32Array): void => {
  let node = 0;
  for (let at = 0; at < text.length; at += 1) {
    node = step({ next, fallbacks }, node, text.charCodeAt(at));
    if (node !== 0) addMarks(marks, node, found, 0);
  }
};

const walk = ({ next, marks }: Trie, text: string, found: Uint32Array): void => {
  let node = 0;
  for (let at = 0; at < text.length; at += 1) {
    const child = next.get(node * characters + text.charCodeAt(at));
    if (child === undefined) return;
    node = child;
    addMarks(marks, node, found, 0);
  }
};
