import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { User } from "#contract/users.ts";
import { type Coding, codings, type PageLoads } from "./ui-manifest.ts";

/** A page up to its end, plain and as a byte-aligned deflate stream; `headCrc` is the CRC-32 of the plain bytes. */
export type OpenHead = { head: Uint8Array; headDeflated: Uint8Array; headCrc: number };

/** A page without its end, in memory. */
export type LoadedOpenPage = OpenHead & { headers: Record<string, string> };

/** A page as it is sent. */
type ClosedPage = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/** Codings in which a page with a session can be sent. */
export const openCodings: readonly Coding[] = ["gzip", "identity"];

/** The session as embedded in a page. No text in it can end the element around it. */
export const sessionText = (session: { user: User | null; isCertain?: false }): string =>
  JSON.stringify(session).replaceAll("<", "\\u003c");

/** A deflate stream that stops at a whole byte, so that more can be appended to it. */
export const deflateOpen = (bytes: Uint8Array, level = 9): Uint8Array =>
  deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH });

/** The bytes of such a stream. */
export const inflateOpen = (deflated: Uint8Array): Buffer =>
  inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH });

const encoder = new TextEncoder();

/**
 * The page with its end put to it, in gzip where that is wanted. Compressing costs nothing: the head was deflated at
 * build time up to a whole byte, and the end, some hundred bytes, follows as one stored block; an end too long for one
 * is sent plain.
 */
export const closePage = (page: LoadedOpenPage, end: string, wanted: Coding): ClosedPage => {
  const tail = encoder.encode(end);
  if (wanted !== "gzip" || tail.byteLength > storedLimitBytes) {
    return { bytes: joined([page.head, tail]), headers: page.headers };
  }
  const trailer = gzipTrailer(crc32(tail, page.headCrc), page.head.byteLength + tail.byteLength);
  return {
    bytes: joined([gzipHeader, page.headDeflated, storedBlock(tail), trailer]),
    headers: { ...page.headers, "content-encoding": "gzip" },
  };
};

/** Makes something once, at a time of its choice. */
export type Hold = <T>(make: () => T) => () => T;

/** Immediately, whether or not it is ever used. */
export const heldAtOnce: Hold = (make) => {
  const made = make();
  return () => made;
};

/** When it is first wanted. */
export const heldWhenWanted: Hold = <T>(make: () => T) => {
  let held: { made: T } | null = null;
  return () => {
    held ??= { made: make() };
    return held.made;
  };
};

/** The header that every gzip answer begins with: no name, no time. Source: RFC 1952 §2.3. */
const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);

/** The longest text that fits into one stored block. */
const storedLimitBytes = 65_535;

/** The bytes as the last block, not compressed; at most {@link storedLimitBytes}. Source: RFC 1951 §3.2.4. */
const storedBlock = (bytes: Uint8Array): Uint8Array => {
  const header = new DataView(new ArrayBuffer(5));
  header.setUint8(0, 1);
  header.setUint16(1, bytes.byteLength, true);
  header.setUint16(3, ~bytes.byteLength & 0xffff, true);
  return joined([bytesOf(header), bytes]);
};

/** What ends a gzip answer of `lengthBytes` (uncompressed) with this CRC-32. */
const gzipTrailer = (crc: number, lengthBytes: number): Uint8Array => {
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc, true);
  trailer.setUint32(4, lengthBytes, true);
  return bytesOf(trailer);
};

/** The parts one after another. */
export const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
};

const bytesOf = ({ buffer }: DataView): Uint8Array => new Uint8Array(buffer);

/** A request for a page or a file. */
export type PageRequest = {
  method: string;
  path: string;
  /** With its `?`, or empty. */
  search: string;
  headers: Headers;
  user: User | null;
  /** Whether `user` is the answer; `false` while the database could not be asked. */
  isKnown: boolean;
  /** Whether a program with an API token asks, which administrators have. */
  hasToken?: boolean;
};

/** Answers everything outside `/api`: pages, files, and the 404 page for the rest. */
export type PageServer = {
  respond(request: PageRequest): Response;
  /** Whether the answer at a path that looks like a file depends on who is asking. */
  isForSome?(path: string): boolean;
  /** What browsers load first for the page at a path; `null` where there is no page. */
  loadsOf?(path: string): PageLoads | null;
  /** A script that the build made for plugins' frontends, by its file name; `null` where there is none. */
  hostFile?(name: string, request: Pick<PageRequest, "method" | "headers">): Response | null;
};

const rememberedHeaders = 200;

/**
 * The coding to answer in, from an `Accept-Encoding` header: of those the reader weighs highest, the first of `ready`
 * (best first, `identity` always among them). Without a header, or when nothing suits, `identity`. Source: RFC 9110 §12.5.3.
 */
export const chooseCoding = (header: string | null, ready: readonly Coding[]): Coding => {
  if (header === null) return "identity";
  const weightOf = weightsOf(header);
  const weighed = ready.map((coding) => ({ coding, weight: weightOf(coding) }));
  const best = Math.max(...weighed.map(({ weight }) => weight));
  if (best === 0) return "identity";
  return weighed.find(({ weight }) => weight === best)?.coding ?? "identity";
};

/** A chooser that remembers its answers: browsers send a handful of different headers. */
export const rememberedChoice = (ready: readonly Coding[]) => {
  const known = new Map<string | null, Coding>();
  return (header: string | null): Coding => {
    const found = known.get(header);
    if (found !== undefined) return found;
    const choice = chooseCoding(header, ready);
    if (known.size < rememberedHeaders) known.set(header, choice);
    return choice;
  };
};

/** The available codings, best first. */
export const readyCodings = (files: Partial<Record<Coding, unknown>>): Coding[] =>
  codings.filter((coding) => files[coding] !== undefined);

const weightsOf = (header: string): ((coding: Coding) => number) => {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const weight = q === undefined ? 1 : Number(q);
    weights.set(
      name === "x-gzip" ? "gzip" : name,
      Number.isNaN(weight) ? 0 : Math.min(Math.max(weight, 0), 1),
    );
  }
  // Unless it is named, identity is acceptable, but any coding that the reader asked for is preferred to it.
  const unnamedIdentity = weights.get("*") === 0 ? 0 : 0.001;
  return (coding) =>
    weights.get(coding) ?? (coding === "identity" ? unnamedIdentity : (weights.get("*") ?? 0));
};
