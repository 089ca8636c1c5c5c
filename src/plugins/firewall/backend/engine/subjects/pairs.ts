import type { Place } from "../engine-types.ts";
import { decodePercent } from "../views/decode-percent.ts";
import type { Collector } from "./collector.ts";

/** A name and its value. */
export type Pair = readonly [name: string, value: string];

/** The pairs of a query or a form, decoded once: `+` is a blank. A piece without `=` is a value without a name. */
export const readPairs = (text: string): Pair[] =>
  text
    .split("&")
    .filter((piece) => piece !== "")
    .map((piece) => {
      const equals = piece.indexOf("=");
      if (equals === -1) return ["", decodeForm(piece)];
      return [decodeForm(piece.slice(0, equals)), decodeForm(piece.slice(equals + 1))];
    });

/** A name or a value of a query or a form, decoded once. */
const decodeForm = (text: string): string => decodePercent(text.replaceAll("+", " "));

/** The pairs of a `Cookie` header, as they came. */
export const readCookies = (header: string): Pair[] =>
  header
    .split(";")
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")
    .map((piece) => {
      const equals = piece.indexOf("=");
      if (equals === -1) return ["", piece];
      return [piece.slice(0, equals), piece.slice(equals + 1)];
    });

/** Names of fields as programs write them. */
const usualName = /^[\w.[\]$:-]*$/;

/**
 * Adds the pairs of a query or a form. What stands under one name more than once is also read as a list, and what is no
 * list of pairs, by its names, as one text: its signs may be a part of it.
 */
export const addPairs = (collector: Collector, place: Place, text: string): void => {
  const pairs = readPairs(text);
  for (const [name, value] of pairs) collector.add(place, name, value);
  for (const [name, value] of joinRepeated(pairs)) collector.add(place, name, value);
  if (
    pairs.length > 1 &&
    pairs.some(([name, value]) => !usualName.test(name) || (name === "" && value.includes(" ")))
  )
    collector.add(place, "", decodeForm(text));
};

const joinRepeated = (pairs: readonly Pair[]): Pair[] => {
  const byName = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  return [...byName]
    .filter(([, values]) => values.length > 1)
    .map(([name, values]) => [name, values.join(",")]);
};
