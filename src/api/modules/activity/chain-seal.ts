import type { SecretBox } from "#api/core/context.ts";

/** Where the log ends and begins: its newest row, and the newest that retention removed (0 and zeros: none). */
export type ChainEnds = { headId: number; headHash: Uint8Array; anchorId: number; anchorHash: Uint8Array };

const purpose = "activity";
const place = "activity_chain:seal:1";

/** The ends of the chain, sealed: whoever can write to the database alone cannot make this for another chain. */
export const sealEnds = (box: SecretBox, ends: ChainEnds): Uint8Array =>
  box.seal(purpose, place, new TextEncoder().encode(textOf(ends)));

/** Whether the seal was made for exactly these ends, under the application's key. */
export const isSealOf = (box: SecretBox, seal: Uint8Array, ends: ChainEnds): boolean => {
  try {
    return new TextDecoder().decode(box.open(purpose, place, seal)) === textOf(ends);
  } catch {
    // Not ours, or damaged: no more is asked here.
    return false;
  }
};

const textOf = ({ headId, headHash, anchorId, anchorHash }: ChainEnds): string =>
  JSON.stringify([headId, headHash.toHex(), anchorId, anchorHash.toHex()]);
