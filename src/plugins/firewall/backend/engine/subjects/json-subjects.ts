import type { Collector } from "./collector.ts";
import { cutName } from "./collector.ts";

/** Levels of lists and objects that are looked into; the deepest that anybody has a reason for is far less. */
const deepestJson = 64;

/** Values in a row, one by one or by lines, that are read; what comes behind them is a text. */
const mostValues = 500;

/** Whether a text begins like an object or a list of JSON. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text);

/**
 * Adds every text and every name of a JSON text. `false` when it is none, or not whole: then the caller reads it as what it is,
 * too, but the values in it are added. Too deep a one is an obstacle.
 */
export const addJson = (collector: Collector, text: string): boolean => {
  if (depthOf(text) > deepestJson) {
    collector.obstacle = "too-deep";
    return true;
  }
  const whole = parse(text);
  const values = whole === undefined ? valuesIn(text) : [whole];
  for (const value of values) walk(collector, { name: "", isInner: false }, value);
  return whole !== undefined;
};

/** Where in a JSON text a value stands; `isInner` for JSON that is itself a text in JSON. */
type Spot = { name: string; isInner: boolean };

const walk = (collector: Collector, spot: Spot, value: unknown): void => {
  if (typeof value === "string") {
    collector.add("body", spot.name, value, "");
    if (!spot.isInner && looksLikeJson(value)) addInner(collector, spot.name, value);
  } else if (Array.isArray(value)) for (const item of value) walk(collector, spot, item);
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const name = nameOf(spot, key);
      collector.add("body", name, "", key);
      walk(collector, name === spot.name ? spot : { ...spot, name }, item);
    }
  }
};

/** What stands within a text is all of that text's field: whatever is welcome there is welcome inside. */
const nameOf = ({ name, isInner }: Spot, key: string): string => {
  if (isInner) return name;
  return cutName(name === "" ? key : `${name}.${key}`);
};

/** Reads a text in JSON that is JSON again, as programs do that store it so; what it holds is not opened once more. */
const addInner = (collector: Collector, name: string, text: string): void => {
  const value = parse(text);
  if (value === undefined) return;
  if (depthOf(text) > deepestJson) collector.obstacle = "too-deep";
  else walk(collector, { name, isInner: true }, value);
};

/** The value, `undefined` where the text is no JSON: that is no value of JSON. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: the caller reads it as what it is.
    return undefined;
  }
};

/** Objects and lists that stand one behind the other, whatever is between them; each character is read twice at most. */
const valuesIn = (text: string): unknown[] => {
  const values: unknown[] = [];
  let from = text.search(/[[{]/);
  for (let count = 0; from !== -1 && count < mostValues; count += 1) {
    const end = endOf(text, from);
    if (end === -1) break;
    const value = parse(text.slice(from, end));
    if (value !== undefined) values.push(value);
    const next = /[[{]/g;
    next.lastIndex = end;
    from = next.exec(text)?.index ?? -1;
  }
  return values;
};

const depthOf = (text: string): number => {
  let deepest = 0;
  eachDepth(text, 0, (depth) => {
    deepest = Math.max(deepest, depth);
    return true;
  });
  return deepest;
};

/** Behind the bracket that closes the one at `from`, or -1. */
const endOf = (text: string, from: number): number => {
  let end = -1;
  eachDepth(text, from, (depth, at) => {
    if (depth === 0) end = at + 1;
    return depth > 0;
  });
  return end;
};

/** Tells the depth behind each bracket that stands in no text, from a place on, until it is told to stop. */
const eachDepth = (text: string, from: number, tell: (depth: number, at: number) => boolean): void => {
  let depth = 0;
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === 92) at += 1;
      else if (code === 34) isQuoted = false;
    } else if (code === 34) isQuoted = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (!tell(depth, at)) return;
    } else if (code === 93 || code === 125) {
      depth -= 1;
      if (!tell(depth, at)) return;
    }
  }
};
