import { InvalidArgumentError } from "commander";
import type { Verified } from "#api/modules/activity/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { withClient } from "#cli/invocation.ts";
import { formatCount } from "#cli/terminal/format.ts";
import type { Style } from "#cli/terminal/output.ts";
import { createProgress, progressBar } from "#cli/terminal/progress.ts";
import { formatFacts } from "#cli/terminal/table.ts";
import { limits } from "#contract/limits.ts";
import type { View } from "../../operations/declared-command.ts";

/** `activity verify`: walks the whole log, a slice at a time. */
export const verifyView: View<never, { expect?: RowMark }> = {
  read: { expect: (text) => rowMark(text) },
  run: async (invocation, _, { expect = null }) => {
    const progress = createProgress(invocation.terminal);
    const verification = await withClient(invocation, (client) =>
      verifyActivity(client, {
        expected: expect,
        onSlice: ({ head, anchor }, checked) => {
          const rows = head.id - anchor.id;
          progress.show(
            () =>
              `${progressBar(rows === 0 ? 1 : checked / rows)}  ${formatCount(checked)} of ${formatCount(rows)} verified`,
          );
        },
      }),
    ).finally(progress.end);
    invocation.output.result(verification, verificationText);
    const complaints = complaintsAbout(verification);
    if (complaints.length > 0) throw new CliFailure("CHECKS_FAILED", complaints.join("\n"));
  },
};

const verificationText = ({ checked, head, anchor, expected }: Verification, style: Style): string =>
  formatFacts(
    [
      ["Proven", `${formatCount(checked)} ${checked === 1 ? "activity" : "activities"}`],
      ...(anchor.id > 0 ? [["Cleaned up", `up to ${markText(anchor)}`] satisfies [string, string]] : []),
      ["Head", markText(head)],
      ...(expected?.outcome === "unchanged"
        ? [["Expected", `unchanged: ${markText(expected)}`] satisfies [string, string]]
        : []),
    ],
    style,
  );

const complaintsAbout = ({ fault, head, anchor, expected }: Verification): string[] => {
  const complaints = fault === null ? [] : [`the activity log was altered: ${fault.problem}`];
  if (expected === null || expected.outcome === "unchanged") return complaints;
  const { id, outcome } = expected;
  const words = {
    changed: `activity ${id} differs from the one you saved: the log up to it was rewritten`,
    missing: `activity ${id} is missing: the log ends with ${head.id}, so newer activities were removed`,
    removed: `activity ${id} was cleaned up, with everything up to ${anchor.id}, so it can't be verified`,
    unproven: `activity ${id} was not reached: an activity before it was altered`,
  } as const;
  return [...complaints, words[outcome]];
};

const markText = ({ id, hash }: RowMark): string => `${id}:${hash}`;

const rowMark = (text: string): RowMark => {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (id === undefined || hash === undefined)
    throw new InvalidArgumentError("It must be NUMBER:HASH, with the 64 digits of the hash.");
  return { id: Number(id), hash: hash.toLowerCase() };
};

/** A row of the log by which it is known again: its number, and its hash in hexadecimal. */
type RowMark = { id: number; hash: string };

/** What a walk along the whole log has found. */
type Verification = Pick<Verified, "head" | "anchor" | "fault"> & {
  /** How many rows were proven. */
  checked: number;
  /** What has become of the row that was recorded earlier; `null` when none was given. */
  expected: (RowMark & { outcome: ExpectedOutcome }) | null;
};

/** `removed` by clean-up, so that nothing can be said; `missing` from the end of the log; `unproven` for a fault before it. */
type ExpectedOutcome = "unchanged" | "changed" | "removed" | "missing" | "unproven";

type Walk = {
  expected: RowMark | null;
  /** Is told of each slice, and of how many rows there were before it. */
  onSlice(slice: Verified, checkedBefore: number): void;
};

const sliceRows = limits.verifiedRows;

/** Walks the log from its beginning to its end or to the first fault. */
const verifyActivity = async (client: Client, { expected, onSlice }: Walk): Promise<Verification> => {
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
    if (through <= after)
      throw new CliFailure("INTERNAL", `the verification cannot continue after activity ${through}`);
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
