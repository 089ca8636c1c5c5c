import type { InspectedRequest, Inspection, Subject } from "../engine-types.ts";
import { decodePercent } from "../views/decode-percent.ts";
import { decodeBase64Text } from "./base64-text.ts";
import { addBody } from "./body-subjects.ts";
import { type Collector, createCollector } from "./collector.ts";
import { addHeaders } from "./header-subjects.ts";
import { addPairs } from "./pairs.ts";

/** Bytes of a request, all its parts and what is packed in its body together, that are looked through. */
export const scanCapBytes = 64 * 1024;

/** A request's texts, each decoded by its transport alone, and what kept them from being had. */
export type RequestSubjects = { subjects: Subject[]; obstacle: Inspection["obstacle"] };

/** Takes a request apart. With an obstacle the texts that came before it are there. */
export const requestSubjects = (request: InspectedRequest): RequestSubjects => {
  const collector = createCollector(isFromHere(request));
  const headBytes =
    request.path.length +
    request.query.length +
    request.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const roomBytes = scanCapBytes - headBytes;
  if (roomBytes < 0) return { subjects: [], obstacle: "too-large" };
  if (request.isHeadKnown !== true) {
    addPath(collector, request.path);
    if (request.query !== "") addPairs(collector, "query", request.query);
    addHeaders(collector, request.headers);
  }
  if (request.body !== null && request.body.length > 0)
    addBody(collector, { request, body: request.body, roomBytes });
  return { subjects: collector.subjects, obstacle: collector.obstacle };
};

const isFromHere = ({ headers }: InspectedRequest): boolean => {
  const headerOf = (header: string) =>
    headers.find(([name]) => name.toLowerCase() === header)?.[1].toLowerCase();
  const host = headerOf("host");
  const from = /^https?:\/\/([^/?#\s]{1,255})(?:[/?#]|$)/.exec(headerOf("referer") ?? "")?.[1];
  return host !== undefined && from === host;
};

/** Adds a path as a whole, and the parts of it that are no plain names, for which it is a list of values. */
const addPath = (collector: Collector, written: string): void => {
  const path = decodePercent(written);
  collector.add("path", "", path);
  // Some servers read a plus in a path as a blank.
  if (path.includes("+")) collector.add("path", "", path.replaceAll("+", " "));
  const parts = written.split("/").filter((part) => part !== "");
  if (parts.length < 2) return;
  for (const part of parts)
    if (!/^[\w.,:@~-]*$/.test(part) || decodeBase64Text(part) !== null)
      collector.add("path", "", decodePercent(part));
};
