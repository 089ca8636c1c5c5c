import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { decodeBytes, decodePercent } from "./decode.ts";
import type { InspectedRequest, Inspection, Subject } from "./engine-types.ts";
import { addHeaders, addPairs, isUsualHeader } from "./head-subjects.ts";
import { type Collector, createCollector, cutName, decodeBase64Text } from "./subject.ts";

/** Bytes of a request, all its parts and what is packed in its body together, that are looked through. */
export const scanCapBytes = 64 * 1024;

/** A request's texts, each decoded by its transport alone, and what kept them from being had. */
type RequestSubjects = { subjects: Subject[]; obstacle: Inspection["obstacle"] };

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

/** A body and how many bytes of it, unpacked, may be looked through. */
type BodyToRead = { request: InspectedRequest; body: Uint8Array; roomBytes: number };

/** Adds what a body says, by what it is called and by what it looks like: a wrong name hides nothing. */
const addBody = (collector: Collector, { request, body, roomBytes }: BodyToRead): void => {
  const type = headerOf(request, "content-type");
  const unpacked = unpack(body, headerOf(request, "content-encoding"), roomBytes);
  if (typeof unpacked === "string") {
    collector.obstacle = unpacked;
    return;
  }
  const boundary = boundaryOf(type, unpacked);
  if (boundary === null) addText(collector, decodeBytes(unpacked, type), type);
  else addMultipart(collector, unpacked, boundary);
};

const headerOf = ({ headers }: InspectedRequest, name: string): string =>
  headers
    .filter(([header]) => header.toLowerCase() === name)
    .map(([, value]) => value)
    .join(",");

/** Layers of packing that anybody has a reason for. */
const mostLayers = 3;

/**
 * A body out of its `Content-Encoding` (a list, the last applied first), at most `capBytes`; or why it cannot be had. A
 * coding that is not known is an obstacle: what stands inside would pass unseen.
 */
const unpack = (
  body: Uint8Array,
  encoding: string,
  capBytes: number,
): Uint8Array | Exclude<Inspection["obstacle"], null> => {
  const codings = encoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > mostLayers) return "undecodable";
  let bytes = body;
  for (const coding of codings.reverse()) {
    if (bytes.length > capBytes) return "too-large";
    try {
      bytes = unpackOnce(bytes, coding, capBytes);
    } catch (error) {
      return isTooLarge(error) ? "too-large" : "undecodable";
    }
  }
  return bytes.length > capBytes ? "too-large" : bytes;
};

const unpackOnce = (bytes: Uint8Array, coding: string, maxOutputLength: number): Uint8Array => {
  if (coding === "gzip" || coding === "x-gzip") return gunzipSync(bytes, { maxOutputLength });
  if (coding === "br") return brotliDecompressSync(bytes, { maxOutputLength });
  if (coding === "zstd") return zstdDecompressSync(bytes, { maxOutputLength });
  if (coding !== "deflate") throw new Error(`unknown coding ${coding}`);
  // Some clients leave out the frame that RFC 9110 asks for.
  const isFramed = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
  return isFramed ? inflateSync(bytes, { maxOutputLength }) : inflateRawSync(bytes, { maxOutputLength });
};

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";

/** Adds a body's text by its content type (empty when nobody says) and by what it looks like. */
const addText = (collector: Collector, text: string, type: string): void => {
  const isJson = looksLikeJson(text) || /json/i.test(type);
  if (isJson && addJson(collector, text)) return;
  const isXml = looksLikeXml(text);
  if (isXml) addXml(collector, text);
  const isForm = /x-www-form-urlencoded/i.test(type);
  if (isForm || (!isXml && /^[\w.[\]%+-]{1,64}=/.test(text))) addPairs(collector, "body", text);
  if (!isForm && !isXml) collector.add("body", "", text);
};

/** Whether a text begins like an XML document. */
const looksLikeXml = (text: string): boolean => /^\s*<(?:\?xml|!doctype|[a-z_][\w:.-]*[\s/>])/i.test(text);

/** Adds an XML document as a whole, and its texts and attributes one by one. */
const addXml = (collector: Collector, text: string): void => {
  collector.add("body", "", text);
  for (const [, attribute, single, content] of text.matchAll(/="([^"]*)"|='([^']*)'|>([^<]+)/g)) {
    const piece = (attribute ?? single ?? content ?? "").trim();
    if (piece !== "") collector.add("body", "", piece);
  }
};

/** Levels of lists and objects that are looked into; the deepest that anybody has a reason for is far less. */
const deepestJson = 64;

/** Values in a row, one by one or by lines, that are read; what comes behind them is a text. */
const mostValues = 500;

/** Whether a text begins like an object or a list of JSON. */
const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text);

/**
 * Adds every text and every name of a JSON text. `false` when it is none, or not whole: then the caller reads it as what it is,
 * too, but the values in it are added. Too deep a one is an obstacle.
 */
const addJson = (collector: Collector, text: string): boolean => {
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

/** The boundary of a multipart body, quoted or not, or as the body itself shows it; `null` when it is no such body. */
const boundaryOf = (type: string, body: Uint8Array): string | null => {
  const named =
    /^\s*multipart\/[\w.-]+[\s\S]{0,512}?boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;,"]{1,200}))/i.exec(
      type,
    );
  if (named !== null) return named[1] ?? named[2] ?? null;
  const start = Buffer.from(body.subarray(0, 300)).toString("latin1");
  return /^\s*--([^\r\n]{1,200})\r?\ncontent-disposition:/i.exec(start)?.[1] ?? null;
};

/** Adds the fields of a multipart body, what stands in their heads, and of files all that is text. */
const addMultipart = (collector: Collector, body: Uint8Array, boundary: string): void => {
  const text = Buffer.from(body).toString("latin1");
  const parts = text.split(`--${boundary}`);
  // A body that does not hold its boundary is read as some server might: as a text.
  if (parts.length < 2) addText(collector, decodeBytes(body, ""), "");
  else for (const part of parts) addPart(collector, part);
};

const addPart = (collector: Collector, part: string): void => {
  const content = part.replace(/^\r?\n/, "");
  const end = /\r?\n\r?\n/.exec(content);
  if (end === null) {
    if (/[^\s-]/.test(content)) collector.add("body", "", utf8(content));
    return;
  }
  const value = content.slice(end.index + end[0].length).replace(/\r?\n$/, "");
  const { name, isFile, type } = addHead(collector, utf8(content.slice(0, end.index)));
  if (isFile && isBinary(type, value)) {
    for (const [run] of value.matchAll(printableRuns)) collector.add("body", "", run);
    return;
  }
  const text = decodeBytes(Buffer.from(value, "latin1"), type);
  if (isFile) addText(collector, text, type);
  else collector.add("body", name, text);
};

/** What a part says of itself. A file is what is given the name of one, were it empty: whatever else is a field. */
type Head = { name: string; isFile: boolean; type: string };

/** Adds what stands in the head of a part besides the name of its field. */
const addHead = (collector: Collector, written: string): Head => {
  const head: Head = { name: "", isFile: false, type: "" };
  for (const line of written.split(/\r?\n(?![ \t])/)) {
    const colon = line.indexOf(":");
    const header = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (header === "content-disposition") readDisposition(collector, head, value);
    else if (!isUsualHeader(header, value)) collector.add("body", `part.${header}`, value, "");
    if (header === "content-type") head.type = value.toLowerCase();
  }
  return head;
};

const readDisposition = (collector: Collector, head: Head, value: string): void => {
  const names: string[] = [];
  const files: string[] = [];
  for (const [parameter, text] of parametersOf(value)) {
    if (parameter === "name") names.push(text);
    else if (/^filename\*?$/.test(parameter)) files.push(text);
    else if (!/^[\w-]*$/.test(text)) collector.add("body", "part.content-disposition", text, "");
  }
  head.name = names[0] ?? "";
  head.isFile = files.length > 0;
  // Who reads the last one where two are given reads another one than who reads the first.
  for (const name of names.slice(1)) collector.add("body", name, "");
  for (const file of files) collector.add("body", `${head.name}.filename`, file);
};

const parameter =
  /;\s{0,8}([^\s=;"']{0,64})\s{0,8}=\s{0,8}(?:"((?:[^"\\\r\n]|\\.)*)"?|'([^'\r\n]*)'|([^;]*))|;([^=;]*)/gy;

/** Parameters behind the first word of a header; of what is none, its text under no name. */
const parametersOf = (value: string): [name: string, text: string][] => {
  const start = value.indexOf(";");
  if (start === -1) return [["", value]];
  const found: [string, string][] = [["", value.slice(0, start)]];
  let at = start;
  while (at < value.length) {
    parameter.lastIndex = at;
    const match = parameter.exec(value);
    if (match === null) {
      found.push(["", value.slice(at)]);
      break;
    }
    const [whole, name = "", quoted, single, bare, flag] = match;
    found.push([name.toLowerCase(), quoted ?? single ?? bare?.trim() ?? flag ?? ""]);
    const next = value.indexOf(";", at + whole.length);
    // What is left between a closed text and the next parameter is looked at as well.
    const rest = value.slice(at + whole.length, next === -1 ? value.length : next).trim();
    if (rest !== "") found.push(["", rest]);
    at = next === -1 ? value.length : next;
  }
  return found;
};

const utf8 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");

/** Letters that stand together in a file of bytes: chance hardly makes as many in 64 KB. */
const printableRuns = /[ -~\t\r\n]{16,}/g;

/** Judged by the content as well: a type is easily claimed. */
const isBinary = (type: string, content: string): boolean =>
  !/^text\/|xml|json/.test(type) && content.slice(0, 4096).includes("\0");
