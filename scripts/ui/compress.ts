import { promisify } from "node:util";
import { brotliCompress, constants, deflateRawSync, gzip } from "node:zlib";
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
