import { brotliCompressSync, constants, deflateRawSync, gzipSync } from "node:zlib";
import type { Coding } from "#api/http/pages/ui-manifest.ts";

/**
 * The bytes in every coding, each at its slowest and smallest; codings that do not make them smaller are left out. With
 * `isTight` brotli writes distances in several ways and the shortest text is kept, for as many times the time.
 */
export const compressAll = (bytes: Uint8Array, { isTight = false } = {}): Map<Coding, Uint8Array> => {
  const ways = (isTight ? [0, 1, 2] : [0]).map((postfix) => brotli(bytes, postfix));
  const all = new Map<Coding, Uint8Array>([
    ["br", ways.reduce((best, way) => (way.byteLength < best.byteLength ? way : best))],
    ["zstd", Bun.zstdCompressSync(bytes, { level: 19 })],
    ["gzip", gzipSync(bytes, { level: 9 })],
  ]);
  const smaller = [...all].filter(([, coded]) => coded.byteLength < bytes.byteLength);
  return new Map<Coding, Uint8Array>([...smaller, ["identity", bytes]]);
};

/** A deflate stream that stops at a whole byte, so that more can be appended to it. */
export const deflateOpen = (bytes: Uint8Array): Uint8Array =>
  deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });

/** `postfix`: how many low bits of a distance are coded apart from the rest. Source: RFC 7932 §4. */
const brotli = (bytes: Uint8Array, postfix: number): Uint8Array =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 22,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
    },
  });
