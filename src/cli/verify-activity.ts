import type { Verified } from "#api/modules/activity/contract.ts";
import { limits } from "#contract/limits.ts";
import type { Client } from "./client.ts";
import { CliFailure } from "./failure.ts";
import { operationsOf } from "./operations/operations-of.ts";

/** A row of the log by which it is known again: its number, and its hash in hexadecimal. */
export type RowMark = { id: number; hash: string };

/** What a walk along the whole log has found. */
export type Verification = Pick<Verified, "head" | "anchor" | "fault"> & {
  /** How many rows were proven. */
  checked: number;
  /** What has become of the row that was noted down; `null` when none was given. */
  expected: (RowMark & { outcome: ExpectedOutcome }) | null;
};

/** `removed` by clean-up, so that nothing can be said; `missing` from the end of the log; `unproven` for a fault before it. */
export type ExpectedOutcome = "unchanged" | "changed" | "removed" | "missing" | "unproven";

type Walk = {
  expected: RowMark | null;
  /** Is told of each slice, and of how many rows there were before it. */
  onSlice(slice: Verified, checkedBefore: number): void;
};

const sliceRows = limits.verifiedRows;

/** Walks the log from its beginning to its end or to the first fault. */
export const verifyActivity = async (client: Client, { expected, onSlice }: Walk): Promise<Verification> => {
  let after = 0;
  let checked = 0;
  let seen: RowMark | null = null;
  for (;;) {
    const limit = sliceUpTo(expected, after);
    const slice = (await operationsOf(client).activity.verify({ after, limit })).data;
    onSlice(slice, checked);
    checked += slice.checked;
    if (slice.through === expected?.id) seen = { id: slice.through, hash: slice.throughHash };
    const { head, anchor, fault, through } = slice;
    if (fault !== null || slice.isComplete) {
      const outcome = expected && { ...expected, outcome: outcomeOf(expected, { slice, seen }) };
      return { checked, head, anchor, fault, expected: outcome };
    }
    if (through <= after) throw new CliFailure("INTERNAL", `the proof does not go on behind ${through}`);
    after = through;
  }
};

/** How many rows to ask for: a slice that ends with the expected row tells its hash. */
const sliceUpTo = (expected: RowMark | null, after: number): number => {
  // Where the log begins is not known yet: the first slice only asks for that.
  if (after === 0) return 1;
  return expected !== null && expected.id > after ? Math.min(sliceRows, expected.id - after) : sliceRows;
};

const outcomeOf = (
  expected: RowMark,
  { slice: { anchor, head, fault }, seen }: { slice: Verified; seen: RowMark | null },
): ExpectedOutcome => {
  const known = expected.id === anchor.id ? anchor : seen;
  if (known !== null) return known.hash === expected.hash ? "unchanged" : "changed";
  if (expected.id < anchor.id) return "removed";
  if (fault !== null) return "unproven";
  return expected.id > head.id ? "missing" : "unproven";
};
