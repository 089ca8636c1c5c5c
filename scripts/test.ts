/** `bun run test [unit|services|e2e|faults|full]… [-- path or bun test flag…]`; without words everything. */

import { startPostgres } from "../tests/services/postgres.ts";
import { runCheck } from "./check/run-check.ts";
import { serverTargets } from "./prepare/build-targets.ts";
import { ensureBuilt } from "./prepare/ensure-built.ts";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";
import { provision } from "./provision.ts";
import { prepareTemplate } from "./suites/prepare-template.ts";
import { runSuite } from "./suites/run-suite.ts";
import { type Suite, type SuiteName, suites } from "./suites/suites.ts";
import { readTestCommand, type TestCommand } from "./suites/test-command.ts";
import { type Counts, sumCounts, summaryLine } from "./suites/test-summary.ts";

type Outcome = Counts & { name: string; seconds: number; note: string };

const isCi = Boolean(process.env.CI);

const runAll = async (command: TestCommand): Promise<Outcome[]> => {
  ensureDependencies();
  const outcomes: Outcome[] = [];
  if (command.withCheck) outcomes.push(await timed("check", async () => runCheck({ withGuards: false })));
  const needsExecutable = command.suites.some((name) => suites[name].onExecutable);
  ensureBuilt(needsExecutable ? [...serverTargets, "executable"] : serverTargets);
  for (const name of command.suites) {
    console.error(`\n── ${name}: ${suites[name].about}`);
    outcomes.push(await timed(name, () => runWhenPossible(name, command)));
  }
  return outcomes;
};

/** A suite that cannot run is skipped by name; in CI, where nobody would read that, it fails. */
const runWhenPossible = async (
  name: SuiteName,
  command: TestCommand,
): Promise<Counts & { note?: string }> => {
  const missing = provision(suites[name].needs);
  if (missing.length > 0) {
    const counts = isCi ? { passed: 0, failed: 1, skipped: 0 } : { passed: 0, failed: 0, skipped: 1 };
    return { ...counts, note: `${isCi ? "cannot run" : "skipped"}: ${missing.join("; ")}` };
  }
  const counts = await runOn(suites[name], command);
  return isCi && counts.skipped > 0 && counts.failed === 0
    ? { ...counts, failed: 1, note: "CI allows no skipped tests" }
    : counts;
};

const runOn = async (suite: Suite, command: TestCommand): Promise<Counts> => {
  const env: Record<string, string> = {
    ...suite.env,
    ...(command.isFull ? { TEST_SIZE: "full" } : {}),
    ...(suite.onExecutable ? { TEST_PROGRAM: "executable" } : {}),
  };
  if (!suite.onPostgres) return runSuite(suite, { ...command, env });
  const server = await startPostgres();
  try {
    const template = await prepareTemplate(server);
    const database = { TEST_DATABASE_URL: server.url(), TEST_DATABASE_TEMPLATE: template };
    return await runSuite(suite, { ...command, env: { ...env, ...database } });
  } finally {
    server.stop();
  }
};

/** A suite that could not even be started is one failure, and the others still run. */
const timed = async (name: string, run: () => Promise<Counts & { note?: string }>): Promise<Outcome> => {
  const startedAt = performance.now();
  const result = await run().catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1, skipped: 0, note: String(error) };
  });
  return { note: "", ...result, name, seconds: (performance.now() - startedAt) / 1000 };
};

const tableRow = (cells: string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(9))).join("");

const printTable = (outcomes: Outcome[]): void => {
  console.log(`\n${tableRow(["suite", "passed", "failed", "skipped", "time"])}`);
  for (const { name, passed, failed, skipped, seconds, note } of outcomes) {
    const cells = [name, String(passed), String(failed), String(skipped), `${seconds.toFixed(1)} s`];
    console.log(`${tableRow(cells)}  ${note}`.trimEnd());
  }
};

// Ending through `exit` lets a running database server be stopped on the way out.
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

const command = readTestCommand(process.argv.slice(2));
if (typeof command === "string") {
  console.error(command);
  process.exit(2);
}
const outcomes = await runAll(command);
printTable(outcomes);
const total = sumCounts(outcomes);
console.log(`\n${summaryLine(total)}`);
process.exit(total.failed > 0 ? 1 : 0);
