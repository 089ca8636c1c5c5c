import type { Place } from "../engine-types.ts";
import type { Collector } from "./collector.ts";
import { type Pair, readPairs } from "./pairs.ts";

/** Adds the pairs of a query or a form. What stands under one name more than once is also read as a list. */
export const addPairs = (collector: Collector, place: Place, text: string): void => {
  const pairs = readPairs(text);
  for (const [name, value] of pairs) collector.add(place, name, value);
  for (const [name, value] of joinRepeated(pairs)) collector.add(place, name, value);
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
