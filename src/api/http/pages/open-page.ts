import { crc32 } from "node:zlib";
import type { User } from "#contract/users.ts";
import { gzipHeader, gzipTrailer, joined, storedBlock, storedLimitBytes } from "./gzip-parts.ts";
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
    bytes: joined([gzipHeader, page.headDeflated, storedBlock(tail, true), trailer]),
    headers: { ...page.headers, "content-encoding": "gzip" },
  };
};
