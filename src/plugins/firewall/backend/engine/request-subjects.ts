import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { type Collector, createCollector, decodeBase64Text } from "./collector.ts";
import { decodeBytes, decodePercent } from "./decode.ts";
import type { InspectedRequest, Inspection, Subject } from "./engine-types.ts";
import { addHeaders, addPairs } from "./head-subjects.ts";
import { addMultipart, addText, boundaryOf } from "./text-subjects.ts";

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
