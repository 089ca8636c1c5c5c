import { formatCount } from "./format.ts";

/** So many of a thing, for a person: "1 file", "2 files", "1,200 activities". `one` is what a single one is called. */
export const counted = (count: number, one: string): string =>
  `${formatCount(count)} ${count === 1 ? one : severalOf(one)}`;

const severalOf = (one: string): string => (/[^aeiou]y$/.test(one) ? one.replace(/y$/, "ies") : `${one}s`);
