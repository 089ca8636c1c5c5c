import { decodePercent } from "../views/decode-percent.ts";

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
export const decodeForm = (text: string): string => decodePercent(text.replaceAll("+", " "));

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
