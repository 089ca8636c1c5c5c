import { isGapName, markupGaps, unsetValues, writings } from "#api/http/pages/site-values.ts";
import type { Gap } from "#api/http/pages/ui-manifest.ts";

/** A document as it is for a site whose identity no one has set, and where it would be another one. */
export type CutDocument = { bytes: Uint8Array<ArrayBuffer>; gaps: Gap[] };

// A mark as it is in text and attributes, and within a link's query.
const marks = /\ue000(\w+)\ue001|%EE%80%80(\w+)%EE%80%81/g;

/**
 * Cuts a document at its marks. Throws for a mark in a place without a rule, such as a script or a style sheet, for one of
 * an unknown name, and for one that was taken apart.
 */
export const cutGaps = (html: string): CutDocument => {
  for (const [element] of html.matchAll(/<(?:script|style)\b.*?<\/(?:script|style)>/gs))
    if (element.search(marks) >= 0) throw new Error(`a text of the site is in ${element.slice(0, 60)}…`);
  const values = unsetValues();
  const parts: Buffer[] = [];
  const gaps: Gap[] = [];
  let [at, end] = [0, 0];
  const add = (text: string): number => {
    const bytes = Buffer.from(text);
    parts.push(bytes);
    at += bytes.byteLength;
    return bytes.byteLength;
  };
  for (const { 0: mark, 1: plain, 2: encoded, index } of html.matchAll(marks)) {
    const name = plain ?? encoded ?? "";
    if (!isGapName(values, name)) throw new Error(`a document has a mark of the unknown name ${name}`);
    add(html.slice(end, index));
    const written = encoded === undefined ? "text" : "url";
    const kind = markupGaps.includes(name) ? "markup" : written;
    const start = at;
    gaps.push([start, add(writings[kind](values[name])), name, kind]);
    end = index + mark.length;
  }
  add(html.slice(end));
  const bytes = new Uint8Array(Buffer.concat(parts));
  if (/[\ue000\ue001]|%EE%80%8[01]/.test(new TextDecoder().decode(bytes)))
    throw new Error("a text of the site was taken apart");
  return { bytes, gaps };
};

/** Whether a document names its own address, which only the running server knows. */
export const isAddressed = ({ gaps }: CutDocument): boolean => gaps.some(([, , name]) => name === "origin");
