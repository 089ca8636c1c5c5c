import { hashRow } from "./row-hash.ts";
import type { ChainPiece, RowMark } from "./verify-store.ts";

/** What is wrong with the log, and the number of the activity where it shows. */
export type Fault = { id: number; problem: string };

/** How far a piece of the log was proven, and what ended it before its end. */
export type CheckedPiece = { checked: number; end: RowMark; fault: Fault | null };

/**
 * Follows the chain from where the piece begins: every number is there once, and every row has the hash that follows from
 * it and the row before.
 */
export const checkChain = ({ start, startHash, rows, head }: ChainPiece): CheckedPiece => {
  if (startHash === null) return { checked: 0, end: { id: start, hash: "" }, fault: missing(start) };
  let end: RowMark = { id: start, hash: startHash };
  let checked = 0;
  for (const { id, hash, row } of rows) {
    if (id > head.id && end.id === head.id) return { checked, end, fault: behindEnd(id) };
    if (id !== end.id + 1) return { checked, end, fault: missing(end.id + 1) };
    if (row === null)
      return { checked, end, fault: { id, problem: `What kind activity ${id} is of is unknown` } };
    if (hashRow(Uint8Array.fromHex(end.hash), row).toHex() !== hash)
      return { checked, end, fault: altered(id) };
    end = { id, hash };
    checked += 1;
  }
  return { checked, end, fault: null };
};

/** The fault that a number of the log has no activity. */
export const missing = (id: number): Fault => ({ id, problem: `Activity ${id} is missing` });

const altered = (id: number): Fault => ({
  id,
  problem: `Activity ${id} is not what was recorded, or does not follow from the one before it`,
});

const behindEnd = (id: number): Fault => ({
  id,
  problem: `Activity ${id} stands behind the end of the log: it was not recorded by Atrium`,
});
