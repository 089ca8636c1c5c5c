import { isIPv6 } from "node:net";
import { type AddressSpan, numberOf, spanOf } from "#contract/endpoints.ts";
import type { GuardRule } from "#plugins/sdk/types.ts";

/** What rules inspect. */
type RuleFacts = { path: string; search: string; userAgent: string | null; ip: string };

/** Country of an IP address in two capital letters; `null` if unknown. */
export type CountryOf = (ip: string) => string | null;

/** A compiled rule. `decides` says whether it matches a request: a rate rule matches all. */
type CompiledRule = { rule: GuardRule; decides(facts: RuleFacts, patterns: PatternsFound): boolean };

/** The pattern rules that match a request; computed once, when the first of them asks. */
type PatternsFound = (rule: number) => boolean;

/** A plugin's rules in order. */
export type CompiledRules = {
  rules: CompiledRule[];
  findPatterns(facts: RuleFacts): PatternsFound;
};

/** Compiles checked rules; without `countryOf`, rules about countries match no one. */
export const compileRules = (rules: readonly GuardRule[], countryOf: CountryOf | null): CompiledRules => {
  const patterns = patternsOf(rules);
  return {
    rules: rules.map((rule, index) => ({ rule, decides: testOf(rule, index, countryOf) })),
    findPatterns: (facts) => {
      let found: Uint32Array | null = null;
      return (rule) => {
        found ??= search(patterns, facts);
        return (((found[rule >> 5] ?? 0) >>> (rule & 31)) & 1) === 1;
      };
    },
  };
};

type Place = "path" | "query" | "user-agent";

const testOf = (rule: GuardRule, index: number, countryOf: CountryOf | null): CompiledRule["decides"] => {
  if (rule.kind === "rate") return () => true;
  if (rule.kind === "pattern") return (_facts, patterns) => patterns(index);
  if (rule.kind === "ip") {
    const isListed = createAddressTest(rule.cidrs.map(spanOf).filter((span) => span !== null));
    return ({ ip }) => isListed(ip);
  }
  const codes = new Set(rule.codes);
  return ({ ip }) => {
    const country = countryOf?.(ip) ?? null;
    return country !== null && codes.has(country);
  };
};

/** One matcher for the texts of all rules, and which rules inspect what. */
type Patterns = { matcher: TextMatcher | null; rulesOfWords: Record<Place, Uint32Array> };

const ruleWords = 4;

const patternsOf = (rules: readonly GuardRule[]): Patterns => {
  const sought: SoughtText[] = [];
  const none = () => new Uint32Array(ruleWords);
  const rulesOfWords = { path: none(), query: none(), "user-agent": none() };
  for (const [owner, rule] of rules.entries()) {
    if (rule.kind !== "pattern") continue;
    for (const text of rule.contains ?? []) sought.push({ text: text.toLowerCase(), isPrefix: false, owner });
    for (const text of rule.prefix ?? []) sought.push({ text: text.toLowerCase(), isPrefix: true, owner });
    for (const place of rule.in) {
      const word = owner >> 5;
      rulesOfWords[place][word] = (rulesOfWords[place][word] ?? 0) | (1 << (owner & 31));
    }
  }
  return { matcher: sought.length === 0 ? null : createTextMatcher(sought), rulesOfWords };
};

const search = ({ matcher, rulesOfWords }: Patterns, facts: RuleFacts): Uint32Array => {
  const found = new Uint32Array(ruleWords);
  const look = (place: Place, texts: string[]) => {
    if (matcher === null || rulesOfWords[place].every((word) => word === 0)) return;
    const here = new Uint32Array(ruleWords);
    for (const text of texts) matcher(text.toLowerCase(), here);
    for (const [word, rules] of rulesOfWords[place].entries())
      found[word] = (found[word] ?? 0) | ((here[word] ?? 0) & rules);
  };
  look("path", readings(facts.path));
  look("query", facts.search === "" ? [] : readings(facts.search.slice(1).replaceAll("+", " ")));
  look("user-agent", facts.userAgent === null ? [] : [facts.userAgent]);
  return found;
};

const mostReadings = 3;

/** A text as received, and after decoding its escapes once and twice. */
const readings = (text: string): string[] => {
  const all = [text];
  while (all.length < mostReadings) {
    const last = all.at(-1) ?? "";
    if (!last.includes("%")) break;
    const decoded = unescaped(last);
    if (decoded === last) break;
    all.push(decoded);
  }
  return all;
};

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Escapes that are not UTF-8 hide nothing: each stands for its byte.
    return text.replace(/%([0-9a-f]{2})/gi, (_escape, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
};

/** A text to look for, at the beginning or anywhere, and the number (0 to 127) it belongs to. */
type SoughtText = { text: string; isPrefix: boolean; owner: number };

/** Sets a bit in `found`, four 32-bit words, for each owner of a text that occurs. */
type TextMatcher = (text: string, found: Uint32Array) => void;

const words = 4;

/**
 * Looks for all texts in one pass, so that time grows with the length of the searched text and not with the number of
 * texts. Both must be normalized alike before. Source: Aho and Corasick 1975.
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

/**
 * Nodes are numbers, 0 is the root. A node is found by its parent and the UTF-16 code unit that leads to it, in a table
 * with open addressing: a `Map` takes ten times as long to build, while all requests wait.
 */
type Trie = {
  table: Uint32Array;
  parents: Uint32Array;
  units: Uint16Array;
  depths: Uint32Array;
  marks: Uint32Array;
  size: number;
};

const buildTrie = (sought: readonly SoughtText[]): Trie => {
  const most = sought.reduce((sum, { text }) => sum + text.length, 1);
  const trie: Trie = {
    // At least half of it stays empty, so that lookups are short.
    table: new Uint32Array(2 ** Math.ceil(Math.log2(most * 2))),
    parents: new Uint32Array(most),
    units: new Uint16Array(most),
    depths: new Uint32Array(most),
    marks: new Uint32Array(most * words),
    size: 1,
  };
  for (const { text, owner } of sought) {
    let node = 0;
    for (let at = 0; at < text.length; at += 1) node = childOrNew(trie, node, text.charCodeAt(at));
    const word = node * words + (owner >> 5);
    trie.marks[word] = (trie.marks[word] ?? 0) | (1 << (owner & 31));
  }
  return trie;
};

/** The slot that a child has, or would have. */
const placeOf = ({ table, parents, units }: Trie, parent: number, unit: number): number => {
  const mask = table.length - 1;
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b);
  let place = (mixed ^ (mixed >>> 15)) & mask;
  for (;;) {
    // The root is no child, so 0 is an empty slot.
    const child = table[place] ?? 0;
    if (child === 0 || (parents[child] === parent && units[child] === unit)) return place;
    place = (place + 1) & mask;
  }
};

/** A node's child by a code unit; 0 if it has none. */
const childOf = (trie: Trie, parent: number, unit: number): number =>
  trie.table[placeOf(trie, parent, unit)] ?? 0;

const childOrNew = (trie: Trie, parent: number, unit: number): number => {
  const place = placeOf(trie, parent, unit);
  const known = trie.table[place] ?? 0;
  if (known !== 0) return known;
  const child = trie.size;
  trie.size += 1;
  trie.table[place] = child;
  trie.parents[child] = parent;
  trie.units[child] = unit;
  trie.depths[child] = (trie.depths[parent] ?? 0) + 1;
  return child;
};

/** For each node, the longest other one that the text so far ends with; each then inherits its marks, too. */
const linkFallbacks = (trie: Trie): Uint32Array => {
  const { parents, units, depths, marks } = trie;
  const fallbacks = new Uint32Array(trie.size);
  for (const node of byDepth(trie)) {
    if ((depths[node] ?? 0) < 2) continue;
    const fallback = step(trie, fallbacks, fallbacks[parents[node] ?? 0] ?? 0, units[node] ?? 0);
    fallbacks[node] = fallback;
    if (fallback !== 0) addMarks(marks, fallback, marks, node);
  }
  return fallbacks;
};

/** All nodes except the root, those near it first: they fall back to nodes that are nearer still. */
const byDepth = ({ depths, size }: Trie): Uint32Array => {
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
  const starts = new Uint32Array(deepest + 2);
  for (let node = 1; node < size; node += 1) {
    const next = (depths[node] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let depth = 1; depth < starts.length; depth += 1)
    starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0);
  const order = new Uint32Array(size - 1);
  for (let node = 1; node < size; node += 1) {
    const depth = depths[node] ?? 0;
    const at = starts[depth] ?? 0;
    order[at] = node;
    starts[depth] = at + 1;
  }
  return order;
};

const step = (trie: Trie, fallbacks: Uint32Array, from: number, unit: number): number => {
  let node = from;
  for (;;) {
    const child = childOf(trie, node, unit);
    if (child !== 0 || node === 0) return child;
    node = fallbacks[node] ?? 0;
  }
};

const addMarks = (from: Uint32Array, node: number, to: Uint32Array, target: number): void => {
  for (let word = 0; word < words; word += 1) {
    const at = target * words + word;
    to[at] = (to[at] ?? 0) | (from[node * words + word] ?? 0);
  }
};

const scan = (trie: Trie, fallbacks: Uint32Array, text: string, found: Uint32Array): void => {
  let node = 0;
  for (let at = 0; at < text.length; at += 1) {
    node = step(trie, fallbacks, node, text.charCodeAt(at));
    if (node !== 0) addMarks(trie.marks, node, found, 0);
  }
};

const walk = (trie: Trie, text: string, found: Uint32Array): void => {
  let node = 0;
  for (let at = 0; at < text.length; at += 1) {
    node = childOf(trie, node, text.charCodeAt(at));
    if (node === 0) return;
    addMarks(trie.marks, node, found, 0);
  }
};

/**
 * Tests whether an IP address, in canonical form, is in one of the ranges; the number of steps grows with the digits of
 * their number.
 */
export const createAddressTest = (spans: readonly AddressSpan[]): ((address: string) => boolean) => {
  const indexOf = createRangeIndex(spans);
  return (address) => indexOf(address) !== -1;
};

/**
 * The index of the first range that contains an IP address, in canonical form; -1 if none does. The number of steps
 * grows with the digits of their number.
 */
export const createRangeIndex = (spans: readonly AddressSpan[]): ((address: string) => number) => {
  const four = cut(spans, 4);
  // Numbers hold 32 bits exactly, at a tenth of the cost of BigInt.
  const fourFirst = Float64Array.from(four.firsts, Number);
  const six = cut(spans, 6);
  return (address) => {
    if (!address.includes(":")) {
      if (fourFirst.length === 0) return -1;
      const value = ipv4Value(address);
      return value === -1 ? -1 : (four.owners[lastUpTo(fourFirst, value)] ?? -1);
    }
    if (six.firsts.length === 0 || !isIPv6(address)) return -1;
    const value = numberOf(address);
    let [low, high] = [0, six.firsts.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      if ((six.firsts[middle] ?? 0n) <= value) low = middle + 1;
      else high = middle - 1;
    }
    return six.owners[high] ?? -1;
  };
};

/** The index of the last number that is not larger; -1 if all are. */
const lastUpTo = (sorted: Float64Array, value: number): number => {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle - 1;
  }
  return high;
};

/** The addresses of a family in pieces: where each begins, and the range it belongs to (-1: none); in order. */
type Pieces = { firsts: bigint[]; owners: number[] };

/** Cuts ranges into pieces with one owner each: the first range that covers it. */
const cut = (spans: readonly AddressSpan[], family: 4 | 6): Pieces => {
  const own = spans.flatMap((span, owner) => (span.family === family ? [{ ...span, owner }] : []));
  const edges = own
    .flatMap(({ first, last, owner }) => [
      { at: first, owner, isStart: true },
      { at: last + 1n, owner, isStart: false },
    ])
    .sort((one, other) => Number(one.at > other.at) - Number(one.at < other.at));
  const pieces: Pieces = { firsts: [], owners: [] };
  const open = createLowest();
  for (const [index, { at, owner, isStart }] of edges.entries()) {
    if (isStart) open.add(owner);
    else open.remove(owner);
    if (edges[index + 1]?.at === at) continue;
    const lowest = open.lowest();
    if (pieces.owners.at(-1) === lowest) continue;
    pieces.firsts.push(at);
    pieces.owners.push(lowest);
  }
  return pieces;
};

/** A set of numbers with its minimum, -1 if it is empty: a heap that drops removed numbers when they come up. */
const createLowest = () => {
  const heap: number[] = [];
  const counts = new Map<number, number>();
  const swap = (one: number, other: number): void => {
    const kept = heap[one] ?? 0;
    heap[one] = heap[other] ?? 0;
    heap[other] = kept;
  };
  const sink = (): void => {
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && (heap[left] ?? 0) < (heap[least] ?? 0)) least = left;
      if (right < heap.length && (heap[right] ?? 0) < (heap[least] ?? 0)) least = right;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  const pop = (): void => {
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    sink();
  };
  return {
    add: (value: number): void => {
      counts.set(value, (counts.get(value) ?? 0) + 1);
      heap.push(value);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if ((heap[parent] ?? 0) <= (heap[at] ?? 0)) break;
        swap(parent, at);
        at = parent;
      }
    },
    remove: (value: number): void => void counts.set(value, (counts.get(value) ?? 1) - 1),
    lowest: (): number => {
      while (heap.length > 0 && (counts.get(heap[0] ?? -1) ?? 0) <= 0) pop();
      return heap[0] ?? -1;
    },
  };
};

/** An IPv4 address as a number; -1 if it is not one. */
const ipv4Value = (address: string): number => {
  let [value, part, digits, parts] = [0, 0, 0, 1];
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code === 46) {
      if (digits === 0 || parts === 4) return -1;
      value = value * 256 + part;
      [part, digits] = [0, 0];
      parts += 1;
      continue;
    }
    if (code < 48 || code > 57 || digits === 3) return -1;
    part = part * 10 + code - 48;
    digits += 1;
    if (part > 255) return -1;
  }
  return digits === 0 || parts !== 4 ? -1 : value * 256 + part;
};
