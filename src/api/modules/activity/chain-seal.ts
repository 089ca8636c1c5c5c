import type { SecretBox } from "#api/core/context.ts";

/**
 * Where the log ends and begins: its newest row, and the newest that retention removed (0 and zeros: none); and what was
 * once found changed behind the application's back.
 */
export type ChainEnds = {
  headId: number;
  headHash: Uint8Array;
  anchorId: number;
  anchorHash: Uint8Array;
  fault: string | null;
};

const purpose = "activity";
const place = "activity_chain:seal:1";

/** The ends of the chain, sealed: whoever can write to the database alone cannot make this for another chain. */
export const sealEnds = (box: SecretBox, ends: ChainEnds): Uint8Array =>
  box.seal(purpose, place, new TextEncoder().encode(textOf(ends)));

/** Whether the seal was made for exactly these ends, under the application's key. A log without a row needs none. */
export const isSealOf = (box: SecretBox, seal: Uint8Array | null, ends: ChainEnds): boolean => {
  if (seal === null) return ends.headId === 0 && ends.anchorId === 0 && ends.fault === null;
  try {
    return new TextDecoder().decode(box.open(purpose, place, seal)) === textOf(ends);
  } catch {
    // Not ours, or damaged: no more is asked here.
    return false;
  }
};

const factPlace = "activity_inbox:fact";

/** A fact as it waits in the inbox. */
export const sealFact = (box: SecretBox, text: string): Uint8Array =>
  box.seal(purpose, factPlace, new TextEncoder().encode(text));

/** The fact that was sealed; `null` when nobody of us sealed it. */
export const openFact = (box: SecretBox, fact: Uint8Array): string | null => {
  try {
    return new TextDecoder().decode(box.open(purpose, factPlace, fact));
  } catch {
    return null;
  }
};

const textOf = ({ headId, headHash, anchorId, anchorHash, fault }: ChainEnds): string =>
  JSON.stringify([headId, headHash.toHex(), anchorId, anchorHash.toHex(), fault]);
