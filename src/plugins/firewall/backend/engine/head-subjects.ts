import { decodePercent } from "./decode.ts";
import type { Place } from "./engine-types.ts";
import type { Collector } from "./subject.ts";

/** Adds the headers whose values somebody may have made up; a `Referer` that is an address is taken apart like one. */
export const addHeaders = (collector: Collector, headers: readonly (readonly [string, string])[]): void => {
  for (const [header, value] of headers) {
    const name = header.toLowerCase();
    if (name === "cookie") {
      for (const [cookie, text] of readCookies(value)) collector.add("cookie", cookie, text);
    } else if (name === "referer") addReferer(collector, value);
    else if (!isUsualHeader(name, value)) collector.add("header", name, value);
  }
};

const address = /^https?:\/\/[\w.:[\]-]+([^\s<>"'`?#]*)(?:\?([^\s<>"'`#]*))?(?:#([^\s<>"'`]*))?$/i;

const addReferer = (collector: Collector, value: string): void => {
  const match = address.exec(value);
  if (match === null) collector.add("header", "referer", value);
  const [, path = "", query = "", fragment = ""] = match ?? [];
  collector.add("header", "referer", path);
  for (const [name, text] of readPairs(query)) collector.add("header", "referer", text, name);
  collector.add("header", "referer", fragment);
};

/** Headers that browsers and proxies fill themselves: looked at only when they hold what those never write. */
const mechanical =
  /^(?:accept(?:-.*)?|host|connection|content-(?:type|length|encoding)|cache-control|pragma|if-.*|authorization|origin|te|dnt|range|upgrade.*|keep-alive|via|date|expect|transfer-encoding|priority|sec-(?!websocket-protocol$).*)$/;

/** Words, types and hosts with their parameters, in a list: `text/html;q=0.9, *\/*`, `max-age=0`, `timeout=5, max=9`. */
const list =
  /^(?:[\w.+*:?-]+(?:\/[\w.+*-]+)?(?:=[\w.+*-]*)?(?:\s?;\s?[\w-]+(?:=(?:[\w.+*/=-]*|"[\w.+*-]*"))?)*(?:,\s?|$))+$/;
const dateForm = /^\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} GMT$/;
/** Marks of versions: `W/"abc"`. */
const tags = /^(?:(?:W\/)?"[\w+/=.:~-]*"(?:,\s?|$))+$/;
/** A scheme and a token. */
const credentials = /^\w{1,24} [\w.~+/=-]+$/;
/** Names of browsers and the one with odd signs that belongs to no browser: `"Not(A:Brand";v="24"`. */
const brands =
  /^(?:"(?:[\w.-]{1,40}(?: [\w.-]{1,40}){0,2}|[ (]?Not[ ().:;=?/_-]A[ ().:;=?/_-]Brand)?"(?:;v="[\d.]{1,24}")?(?:,\s?|$))+$/;
const origin = /^https?:\/\/[\w.:[\]-]+$/;
const forms = [list, dateForm, tags, brands, origin];

/** A second type within `Content-Type`: what reads the last one reads another body than what reads the first. */
const secondType = /[;,]\s{0,4}(?:application|text|multipart)\/\w/i;

/** Whether a header, its name in lower case, says nothing but what browsers and proxies say in it. */
export const isUsualHeader = (name: string, value: string): boolean => {
  if (!mechanical.test(name) || value.includes("..")) return false;
  if (name === "content-type" && secondType.test(value)) return false;
  return forms.some((form) => form.test(value)) || (name === "authorization" && credentials.test(value));
};

/** A name and its value. */
type Pair = readonly [name: string, value: string];

/** The pairs of a query or a form, decoded once: `+` is a blank. A piece without `=` is a value without a name. */
const readPairs = (text: string): Pair[] =>
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
const readCookies = (header: string): Pair[] =>
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
