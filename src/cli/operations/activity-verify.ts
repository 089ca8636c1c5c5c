import { InvalidArgumentError } from "commander";
import { CliFailure } from "#cli/failure.ts";
import { formatCount } from "#cli/format.ts";
import { withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { createProgress, progressBar } from "#cli/progress.ts";
import { formatFacts } from "#cli/table.ts";
import { type RowMark, type Verification, verifyActivity } from "#cli/verify-activity.ts";
import type { View } from "./view.ts";

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
              `${progressBar(rows === 0 ? 1 : checked / rows)}  ${formatCount(checked)} of ${formatCount(rows)} proven`,
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
  const complaints = fault === null ? [] : [`the activity log is not as it was recorded: ${fault.problem}`];
  if (expected === null || expected.outcome === "unchanged") return complaints;
  const { id, outcome } = expected;
  const words = {
    changed: `activity ${id} is another one than the one that was noted: the log up to it was written anew`,
    missing: `activity ${id} was noted, but the log ends with ${head.id}: newer ones were taken away`,
    removed: `activity ${id} was cleaned up, with everything up to ${anchor.id}: nothing can be said about it`,
    unproven: `activity ${id} is not reached: what comes before it is at fault`,
  } as const;
  return [...complaints, words[outcome]];
};

const markText = ({ id, hash }: RowMark): string => `${id}:${hash}`;

const rowMark = (text: string): RowMark => {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (id === undefined || hash === undefined)
    throw new InvalidArgumentError("It must be a number, a colon and the 64 digits of a hash.");
  return { id: Number(id), hash: hash.toLowerCase() };
};
