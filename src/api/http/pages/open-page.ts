import { crc32 } from "node:zlib";
import type { User } from "#contract/users.ts";
import type { Coding } from "./ui-manifest.ts";

/** A page without its end, in memory. */
export type LoadedOpenPage = {
  head: Uint8Array;
  headDeflated: Uint8Array;
  headCrc: number;
  headers: Record<string, string>;
};

/** A page as it is sent. */
export type ClosedPage = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/** Codings in which a page with a session can be sent. */
export const openCodings: readonly Coding[] = ["gzip", "identity"];

/** The session as it stands in a page. No text in it can end the element around it. */
export const sessionText = (session: { user: User | null; isCertain?: false }): string =>
  JSON.stringify(session).replaceAll("<", "\\u003c");

const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
const storedLimitBytes = 65_535;
const encoder = new TextEncoder();

/**
 * The page with its end put to it, in gzip where that is wanted. Compressing costs nothing: the head was deflated at
 * build time up to a whole byte, and the end, some hundred bytes, follows as one stored block; an end too long for one
 * is sent plain. Sources: RFC 1951 §3.2.4, RFC 1952 §2.3.
 */
export const closePage = (page: LoadedOpenPage, end: string, wanted: Coding): ClosedPage => {
  const tail = encoder.encode(end);
  if (wanted !== "gzip" || tail.byteLength > storedLimitBytes) {
    return { bytes: joined([page.head, tail]), headers: page.headers };
  }
  const block = new DataView(new ArrayBuffer(5));
  block.setUint8(0, 1);
  block.setUint16(1, tail.byteLength, true);
  block.setUint16(3, ~tail.byteLength & 0xffff, true);
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc32(tail, page.headCrc), true);
  trailer.setUint32(4, page.head.byteLength + tail.byteLength, true);
  return {
    bytes: joined([gzipHeader, page.headDeflated, bytesOf(block), tail, bytesOf(trailer)]),
    headers: { ...page.headers, "content-encoding": "gzip" },
  };
};

const bytesOf = ({ buffer }: DataView): Uint8Array => new Uint8Array(buffer);

const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
};
