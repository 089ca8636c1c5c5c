import { promisify } from "node:util";
import { brotliCompress, constants, crc32, gzipSync } from "node:zlib";
import { deflateOpen, heldWhenWanted, type OpenHead } from "./open-page.ts";
import { fillGaps, type SiteValues } from "./site-values.ts";
import type { Coding, Gap } from "./ui-manifest.ts";

/** Compresses texts in brotli, one after another, beside everything else; `null` for one that is no longer wanted. */
export type Packer = (bytes: Uint8Array, isWanted: () => boolean) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Creates a packer. It takes the time that the smallest form needs, on a thread of the system. */
export const createPacker = (): Packer => {
  let last: Promise<unknown> = Promise.resolve();
  return (bytes, isWanted) => {
    const packed = last.then(async () => (isWanted() ? new Uint8Array(await brotli(bytes, smallest)) : null));
    last = packed.catch(() => {});
    return packed;
  };
};

const brotli = promisify(brotliCompress);
const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 } };

type Filling = {
  values: SiteValues;
  pack: Packer;
  /** Whether these values are still those of the site. */
  isCurrent: () => boolean;
};

type Forms = ReadonlyMap<Coding, () => Uint8Array<ArrayBuffer>>;

/**
 * A document with its gaps filled: plain and in gzip, which is made when it is first asked for. `onPacked` is called with
 * all forms once there is a brotli form as well.
 */
export const fillDocument = (
  { bytes, gaps }: { bytes: Uint8Array; gaps: readonly Gap[] },
  { values, pack, isCurrent }: Filling,
  onPacked: (forms: Forms) => void,
): Forms => {
  const filled = fillGaps(bytes, gaps, values);
  const forms = new Map([
    ["gzip", heldWhenWanted(() => new Uint8Array(gzipSync(filled)))],
    ["identity", () => filled],
  ] as const);
  // Without it readers get what is there already.
  pack(filled, isCurrent)
    .then((packed) => packed !== null && onPacked(new Map([["br", () => packed], ...forms])))
    .catch(() => {});
  return forms;
};

/** A page without its end, with its gaps filled. */
export const fillHead = (bytes: Uint8Array, gaps: readonly Gap[], values: SiteValues): OpenHead => {
  const head = fillGaps(bytes, gaps, values);
  return { head, headDeflated: deflateOpen(head, 6), headCrc: crc32(head) };
};
