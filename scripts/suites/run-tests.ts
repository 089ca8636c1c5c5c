import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type PostgresServer, startPostgres } from "../../tests/services/postgres.ts";
import { runChecked } from "../../tests/services/run-checked.ts";
import { runCheck } from "../check/run-check.ts";
import { type BuildKind, executableParts, serverTargets, staleTargets } from "../prepare/build-targets.ts";
import { projectRoot } from "../project-root.ts";
import { type Need, provision } from "../provision.ts";
import { type Outcome, printSlowest, printTable } from "./print-results.ts";
import { runSuite, type SuiteResult } from "./run-suite.ts";
import { type Suite, type SuiteName, suites } from "./suites.ts";
import type { TestCommand } from "./test-command.ts";
import { sumCounts, summaryLine } from "./test-summary.ts";

const isCi = Boolean(process.env.CI);

/** Builds, checks and runs what the command asks for; prints the results and resolves to the exit code. */
export const runTests = async (command: TestCommand): Promise<number> => {
  // Packages of the system are unpacked while this is built and checked.
  const provisioned = provisionAside(command.suites.flatMap((name) => needsOf(name, command)));
  const outcomes = await prepare(command);
  await provisioned;
  for (const name of command.suites) {
    const { about } = suites[name];
    const order = command.seed === null ? "" : `, in random order (--seed=${command.seed})`;
    console.error(`\n── ${name}: ${about}${order}`);
    outcomes.push(await timed(name, () => runWhenPossible(name, command)));
  }
  printTable(outcomes);
  printSlowest(outcomes, 10);
  const total = sumCounts(outcomes);
  console.log(`\n${summaryLine(total)}`);
  return total.failed > 0 ? 1 : 0;
};

/** The build and the checks, side by side: each leaves a core idle. */
const prepare = async (command: TestCommand): Promise<Outcome[]> => {
  const needsExecutable = command.suites.some((name) => suites[name].onExecutable);
  const isOwn = command.tier === "own";
  const parts = isOwn ? serverTargets : executableParts;
  const targets = needsExecutable ? [...executableParts, "executable" as const] : parts;
  const check = command.withCheck
    ? [timed("check", () => runCheck({ withGuards: false }).then(withoutTimes))]
    : [];
  // How far pages are compressed is nothing that own features could change.
  const kind = { isQuick: isOwn };
  const [, ...outcomes] = await Promise.all([build(staleTargets(targets, kind), kind), ...check]);
  return outcomes;
};

/** Ends this process when a build fails: without it no test says anything. */
const build = async (stale: readonly string[], { isQuick }: BuildKind): Promise<void> => {
  if (stale.length === 0) return;
  const child = Bun.spawn([process.execPath, "scripts/build.ts", ...(isQuick ? ["--quick"] : []), ...stale], {
    cwd: projectRoot,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exitCode = await child.exited;
  if (exitCode !== 0) process.exit(exitCode);
};

const withoutTimes = <T>(counts: T): T & Pick<SuiteResult, "times"> => ({ ...counts, times: [] });

/** What a suite needs of the system for the files of this run. */
const needsOf = (name: SuiteName, { tier }: TestCommand): readonly Need[] => {
  const suite: Suite = suites[name];
  return tier === "quick" ? (suite.quick.needs ?? suite.needs) : suite.needs;
};

/** In a process of its own, because the package manager is waited for. */
const provisionAside = async (needs: readonly Need[]): Promise<void> => {
  if (needs.length === 0) return;
  const script = join(projectRoot, "scripts/provision.ts");
  await Bun.spawn([process.execPath, script, "--quiet", ...new Set(needs)], {
    cwd: projectRoot,
    stdio: ["ignore", "inherit", "inherit"],
  }).exited;
};

/** A suite that can't run is skipped by name; in CI, where a skip would go unnoticed, it fails. */
const runWhenPossible = async (
  name: SuiteName,
  command: TestCommand,
): Promise<SuiteResult & { note?: string }> => {
  const missing = provision(needsOf(name, command));
  if (missing.length > 0) {
    const counts = isCi ? { passed: 0, failed: 1, skipped: 0 } : { passed: 0, failed: 0, skipped: 1 };
    return { ...withoutTimes(counts), note: `${isCi ? "cannot run" : "skipped"}: ${missing.join("; ")}` };
  }
  const result = await runOn(name, command);
  return isCi && result.skipped > 0 && result.failed === 0
    ? { ...result, failed: 1, note: "CI allows no skipped tests" }
    : result;
};

const runOn = async (name: SuiteName, command: TestCommand): Promise<SuiteResult> => {
  const suite: Suite = suites[name];
  const env: Record<string, string> = {
    ...suite.env,
    ...(command.isFull ? { TEST_SIZE: "full" } : {}),
    ...(suite.onExecutable ? { TEST_PROGRAM: "executable" } : {}),
  };
  if (!suite.onPostgres) return runSuite(suite, { ...command, name, env });
  const server = await startPostgres();
  try {
    const template = await prepareTemplate(server);
    const database = { TEST_DATABASE_URL: server.url(), TEST_DATABASE_TEMPLATE: template };
    return await runSuite(suite, { ...command, name, env: { ...env, ...database } });
  } finally {
    server.stop();
  }
};

/** A suite that could not even be started is one failure, and the others still run. */
const timed = async (name: string, run: () => Promise<SuiteResult & { note?: string }>): Promise<Outcome> => {
  const startedAt = performance.now();
  const result = await run().catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1, skipped: 0, times: [], note: String(error) };
  });
  return { note: "", ...result, name, seconds: (performance.now() - startedAt) / 1000 };
};

/**
 * Makes an empty database with all migrations applied, by the product's own command, and freezes it for copying. Resolves
 * to its name.
 */
const prepareTemplate = async (server: PostgresServer): Promise<string> => {
  const url = await server.createDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "atrium-template-"));
  try {
    const settings = ["env", `DATABASE_URL=${url}`, `DATA_DIR=${dataDir}`];
    runChecked([...settings, process.execPath, "src/cli/main.ts", "migrate"], projectRoot);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  await empty(url);
  const name = new URL(url).pathname.slice(1);
  await server.freeze(name);
  return name;
};

/** The command notes its version, and tests begin with a database that no program has opened yet. */
const empty = async (url: string): Promise<void> => {
  const client = postgres(url, { max: 1 });
  await client`delete from installation`;
  await client.end();
};
