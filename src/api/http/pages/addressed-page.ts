import { crc32 } from "node:zlib";
import { gzipHeader, gzipTrailer, joined, storedBlock } from "./gzip-parts.ts";
import type { Coding } from "./ui-manifest.ts";

/** One side of a page in memory: as text, and as byte-aligned parts of a deflate and of a brotli stream. */
export type LoadedPart = { identity: Uint8Array; deflate: Uint8Array; br: Uint8Array };

/** A page in two halves, and how long the tags between them have to be for its brotli form. */
export type PageHalves = { before: LoadedPart; after: LoadedPart; roomBytes: number };

const encoder = new TextEncoder();

/**
 * The page with its tags put in, in each of its codings. The server compresses nothing for that: the halves were
 * compressed at build time, the tags stand between them as they are. Tags longer than the room that the build left for
 * them cost the page its brotli form.
 */
export const addressPage = (
  { before, after, roomBytes }: PageHalves,
  tags: string,
): Map<Coding, Uint8Array<ArrayBuffer>> => {
  const text = encoder.encode(tags);
  const middle = encoder.encode(tags + " ".repeat(Math.max(0, roomBytes - text.byteLength)));
  const whole = joined([before.identity, middle, after.identity]);
  const trailer = gzipTrailer(crc32(whole), whole.byteLength);
  const forms = new Map<Coding, Uint8Array<ArrayBuffer>>([
    ["gzip", joined([gzipHeader, before.deflate, storedBlock(middle, false), after.deflate, trailer])],
    ["identity", whole],
  ]);
  if (middle.byteLength === roomBytes) {
    forms.set("br", joined([before.br, uncompressedBlock(middle), after.br]));
  }
  return forms;
};

/** The bytes, at most 65,536, as a meta-block that is not compressed. Source: RFC 7932 §9.2. */
export const uncompressedBlock = (bytes: Uint8Array): Uint8Array => {
  // From the lowest bit: not the last block, four nibbles of length, the length less one, not compressed.
  const header = ((bytes.byteLength - 1) << 3) | (1 << 19);
  return joined([Uint8Array.of(header & 0xff, (header >> 8) & 0xff, header >> 16), bytes]);
};
