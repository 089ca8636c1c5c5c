import { promisify } from "node:util";
import {
  brotliCompress,
  brotliDecompressSync,
  constants,
  createBrotliCompress,
  deflateRawSync,
  gzip,
} from "node:zlib";
import { uncompressedBlock } from "#api/http/pages/open-page.ts";
import type { Coding } from "#api/http/pages/ui-manifest.ts";

/** A coding that makes files smaller. */
export type Packing = Exclude<Coding, "identity">;

/** The bytes in each of `codings`, at its slowest and smallest, side by side; those that do not make them smaller are left out. */
export const compressAll = async (
  bytes: Uint8Array,
  codings: readonly Packing[],
): Promise<Map<Packing, Uint8Array>> => {
  const all = await Promise.all(
    codings.map(async (coding) => [coding, await coders[coding](bytes)] as const),
  );
  return new Map(all.filter(([, coded]) => coded.byteLength < bytes.byteLength));
};

/** A deflate stream that stops at a whole byte, so that more can be appended to it. */
export const deflateOpen = (bytes: Uint8Array): Uint8Array =>
  deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)];

const coders: Record<Packing, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  zstd: (bytes) => Bun.zstdCompress(bytes, { level: 19 }),
  gzip: (bytes) => deflate(bytes, { level: 9 }),
};

/** The two ends of a brotli stream with a gap of `roomBytes` for anything between them. */
type BrotliHalves = { before: Uint8Array; after: Uint8Array };

/**
 * Compresses a text with a hole in it, at brotli's slowest and smallest. `before`, an uncompressed block of exactly
 * `roomBytes` and `after` are one stream. This works because distances in brotli count decoded bytes: the encoder sees a
 * filler in the hole that shares no two neighbouring bytes with any text, so nothing after it refers into it, and its own
 * compressed form is thrown away. Decodes what it made, and throws when it is not what went in.
 */
export const splitBrotli = async (
  before: Uint8Array,
  after: Uint8Array,
  roomBytes: number,
): Promise<BrotliHalves> => {
  const [head, , tail] = await compressParts([before, filler(roomBytes), after]);
  if (head === undefined || tail === undefined) throw new Error("the brotli stream has not three parts");
  const room = new Uint8Array(roomBytes).fill(0x20);
  const decoded = brotliDecompressSync(Buffer.concat([head, uncompressedBlock(room), tail]));
  if (!decoded.equals(Buffer.concat([before, room, after]))) {
    throw new Error("a page cannot be told from its brotli form");
  }
  return { before: head, after: tail };
};

/** The stream of all parts, cut where each begins; every cut is at a whole byte. */
const compressParts = async (parts: readonly Uint8Array[]): Promise<Uint8Array[]> => {
  const stream = createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 22,
    },
  });
  let written: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => written.push(chunk));
  const ended = new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
  const compressed: Uint8Array[] = [];
  for (const [index, part] of parts.entries()) {
    stream.write(part);
    if (index === parts.length - 1) {
      stream.end();
      await ended;
    } else {
      await new Promise<void>((resolve) => stream.flush(constants.BROTLI_OPERATION_FLUSH, resolve));
      // The chunks of a flush may be handed out right after its callback.
      await new Promise(setImmediate);
    }
    compressed.push(Buffer.concat(written));
    written = [];
  }
  return compressed;
};

const prime = 61;

/**
 * Bytes of which no two neighbours come in the same order twice: steps of 1, 2, 3 … around a circle of prime size. All are
 * 0xC0 or above, and two of those never stand beside each other in UTF-8.
 */
const filler = (lengthBytes: number): Uint8Array =>
  Uint8Array.from({ length: lengthBytes }, (_, index) => {
    const step = Math.floor(index / prime) + 1;
    return 0xc0 + (((index % prime) * step) % prime);
  });
