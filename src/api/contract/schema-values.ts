import { hasUnprintable } from "./account-rules.ts";

/** An object of JSON, with its own keys only: a key such as `__proto__` is one like any other. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is an object of JSON: neither a list nor `null`. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an object has under a key by itself, never what it inherits; `undefined` when there is nothing. */
export const ownValue = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

// Longer keys are cut in paths: a path is shown to people.
const shownKeyLength = 60;

/** The dotted path of something inside `path`; keys that cannot be shown become `?`. */
export const pathTo = (path: string, key: string | number): string => {
  const shown = typeof key === "number" ? String(key) : shownKey(key);
  return path === "" ? shown : `${path}.${shown}`;
};

const shownKey = (key: string): string => {
  if (key === "") return '""';
  const cut = key.length > shownKeyLength ? `${key.slice(0, shownKeyLength - 1)}…` : key;
  return hasUnprintable(cut) ? "?" : cut;
};

/** How many characters a text has: pairs of UTF-16 units count once. */
export const characters = (text: string): number => {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) count -= 1;
  }
  return count;
};

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

// Nothing that is compared is nested deeper; what is deeper in there counts as the same.
const comparedDepth = 100;

/** A text that two values of JSON share exactly when they are equal, in whatever order their keys stand. */
export const canonical = (value: unknown, depth = 0): string => {
  if (depth > comparedDepth) return "…";
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`);
  return `{${entries.join()}}`;
};

/** Whether a value holds objects or lists within each other more than `most` levels deep. */
export const isDeeperThan = (value: unknown, most: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeperThan(inner, most - 1));
};

// Names that differ in more places than this are no slips of the pen.
const nearestDistance = 2;

/** The known name that `name` is most likely meant for, or `null`. */
export const nearestName = (name: string, known: Iterable<string>): string | null => {
  let nearest: string | null = null;
  let least = nearestDistance + 1;
  for (const candidate of known) {
    const distance = name.length > 40 ? least : distanceBetween(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least && distance < candidate.length) [nearest, least] = [candidate, distance];
  }
  return nearest;
};

/** How many characters must be added, removed or changed (Levenshtein). */
const distanceBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const changed = (row[at] ?? 0) + (other[at] === character ? 0 : 1);
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};
