import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { resultsFolder, type SuiteResult } from "./run-suite.ts";
import { type FileTime, readJunit } from "./test-summary.ts";

/** What came of one suite. */
export type Outcome = SuiteResult & { name: string; seconds: number; note: string };

/** Prints a row for each suite. */
export const printTable = (outcomes: readonly Outcome[]): void => {
  console.log(`\n${tableRow(["suite", "passed", "failed", "skipped", "time"])}`);
  for (const { name, passed, failed, skipped, seconds, note } of outcomes) {
    const cells = [name, String(passed), String(failed), String(skipped), `${seconds.toFixed(1)} s`];
    console.log(`${tableRow(cells)}  ${note}`.trimEnd());
  }
};

const tableRow = (cells: string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(9))).join("");

/** Prints the files that took longest, with their suite. Files that ran side by side slowed each other down. */
export const printSlowest = (
  runs: readonly { name: string; times: readonly FileTime[] }[],
  most: number,
): void => {
  const all = runs.flatMap(({ name, times }) => times.map((time) => ({ ...time, suite: name })));
  const slowest = all.sort((one, other) => other.seconds - one.seconds).slice(0, most);
  if (slowest.length === 0) return;
  console.log("\nSlowest files");
  for (const { suite, file, seconds, tests } of slowest)
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${suite.padEnd(9)} ${file} (${tests} tests)`);
};

/** Prints the time of each file in the last run of each suite. */
export const printSlowestOfLastRuns = (): void => {
  const reports = existsSync(resultsFolder)
    ? readdirSync(resultsFolder).filter((name) => name.endsWith(".xml"))
    : [];
  if (reports.length === 0) console.log("No run has been recorded yet. Start one with: bun run test");
  const runs = reports.map((report) => ({
    name: report.replace(/-\d+\.xml$/, ""),
    times: readJunit(readFileSync(join(resultsFolder, report), "utf8")).times,
  }));
  printSlowest(runs, Number.POSITIVE_INFINITY);
};
