import type { BenchSettings } from "../lines/bench-line.ts";
import { median } from "../measure/interleave.ts";
import { cpuUs } from "../measure/processes.ts";
import { decimal, type Report } from "../report.ts";
import type { MeasuredLog } from "./measured-log.ts";
import { writeLines } from "./write-lines.ts";

/** What the buffer holds without losing any. */
const linesOfARound = 20_000;
const goals = { rowsPerSecond: 15_000, noteUs: 5 };

type Round = { noteUs: number; rowsPerSecond: number; ownUs: number; databaseUs: number };

/** What a logged line costs whoever logs it, and how fast lines get into a filled log with all its indexes. */
export const writingReport = async (log: MeasuredLog, { rounds, rows }: BenchSettings): Promise<Report> => {
  const results: Round[] = [];
  await writeOnce(log, 0);
  for (let round = 1; round <= rounds; round += 1) results.push(await writeOnce(log, round));
  const middle = (value: (round: Round) => number) => median(results.map(value));
  return {
    title: "Writing to it",
    method:
      `Medians of ${rounds} rounds of ${decimal(linesOfARound)} lines, each of another person, written in batches by the ` +
      `product's writer into a log of ${decimal(rows)} rows: numbered, hashed, counted, with the search index. The ` +
      "database has one core, the writer another; commits are synced. CPU is processor time a row.",
    columns: ["", "µs a line", "goal", "rows/s", "goal", "CPU µs a row", "database"],
    rows: [
      [
        "on the request path",
        decimal(
          middle(({ noteUs }) => noteUs),
          2,
        ),
        `≤ ${goals.noteUs}`,
        "",
        "",
        "",
        "",
      ],
      [
        "in batches",
        "",
        "",
        decimal(middle(({ rowsPerSecond }) => rowsPerSecond)),
        `≥ ${decimal(goals.rowsPerSecond)}`,
        decimal(
          middle(({ ownUs, databaseUs }) => ownUs + databaseUs),
          1,
        ),
        decimal(
          middle(({ databaseUs }) => databaseUs),
          1,
        ),
      ],
    ],
  };
};

const writeOnce = async ({ ctx, databasePids }: MeasuredLog, round: number): Promise<Round> => {
  const readCpu = () => ({ own: process.cpuUsage(), databaseUs: cpuUs(databasePids()) });
  let before = readCpu();
  const { noteMs, recordMs } = await writeLines(ctx, {
    seed: round,
    count: linesOfARound,
    onRecorded: () => {
      before = readCpu();
    },
  });
  const own = process.cpuUsage(before.own);
  return {
    noteUs: (noteMs / linesOfARound) * 1_000,
    rowsPerSecond: (linesOfARound / recordMs) * 1_000,
    ownUs: (own.user + own.system) / linesOfARound,
    databaseUs: (cpuUs(databasePids()) - before.databaseUs) / linesOfARound,
  };
};
