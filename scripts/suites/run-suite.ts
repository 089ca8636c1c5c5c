import { projectRoot } from "../project-root.ts";
import type { Suite } from "./suites.ts";
import { type Counts, readSummary, sumCounts } from "./test-summary.ts";
import { testsOnDatabase } from "./tests-on-database.ts";

export type SuiteRun = {
  paths: readonly string[];
  flags: readonly string[];
  /** At full size a suite may take hours: it then has no limit. */
  isFull: boolean;
  env: Record<string, string>;
};

/**
 * Runs one suite with `bun test`, showing its output as it comes: first the files that may run side by side, then the
 * others. A part that was asked for by path or flag runs in one go, as the others do.
 */
export const runSuite = async (suite: Suite, run: SuiteRun): Promise<Counts> => {
  const { sideBySide, leftOut } = suite;
  if (run.paths.length > 0 || run.flags.length > 0) return runFiles(suite, run);
  if (suite.onPostgres) return runFiles(suite, { ...run, paths: pathsOnDatabase(suite) });
  const without = { ...run, flags: leftOut.map(ignoring) };
  if (sideBySide === null) return runFiles(suite, without);
  const { filesAtOnce, files } = sideBySide;
  const first = await runFiles({ ...suite, filesAtOnce }, { ...run, paths: files });
  const others = { ...without, flags: [...without.flags, ...files.map(ignoring)] };
  return sumCounts([first, await runFiles(suite, others)]);
};

const ignoring = (path: string): string => `--path-ignore-patterns=${path}`;

/** The suite's paths, with the files that use a database in the place of folders of the source, but for those left out. */
const pathsOnDatabase = ({ paths, leftOut }: Suite): string[] =>
  paths.flatMap((path) => {
    if (!path.startsWith("src/")) return [path];
    const files = [...new Bun.Glob(`${path}/**/*.test.ts`).scanSync(projectRoot)];
    return testsOnDatabase(files.sort()).filter((file) => !leftOut.includes(file));
  });

/** A run that passes the suite's limit is killed with everything that it started and counts as failed. */
const runFiles = async (suite: Suite, run: SuiteRun): Promise<Counts> => {
  const paths = run.paths.length > 0 ? run.paths : suite.paths;
  const abreast = suite.filesAtOnce > 1 ? [`--parallel=${suite.filesAtOnce}`, "--no-isolate"] : [];
  const child = Bun.spawn(
    [process.execPath, "test", ...always, ...abreast, ...run.flags, ...paths.map(asPath)],
    {
      cwd: projectRoot,
      env: { ...process.env, ...run.env },
      stdio: ["ignore", "inherit", "pipe"],
      killSignal: "SIGKILL",
      ...(run.isFull ? {} : { timeout: suite.limitMinutes * 60_000 }),
    },
  );
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-tailCharacters);
  }
  const exitCode = await child.exited;
  if (child.signalCode === "SIGKILL") console.error(`killed after ${suite.limitMinutes} minutes`);
  return readSummary(tail, child.signalCode === null ? exitCode : null);
};

/**
 * One file after the other unless the suite says otherwise, because several tests measure time and password hashing alone
 * fills the cores. The files of a process share its modules: to load and compile them anew for each would double what the
 * unit suite computes. `tests/preload.ts` names a file that leaves a variable or a replaced function to the next. The limit
 * for a test is made for a browser page or a restart of the database on a busy machine; Bun's own is five seconds.
 */
const always = ["--no-orphans", "--timeout=90000"];

/** Enough for the summary, which is a dozen short lines. */
const tailCharacters = 4000;

/** With a leading `./` the word is a folder or file; without it `bun test` looks for it anywhere in a path. */
const asPath = (path: string): string => (path.startsWith("/") || path.startsWith(".") ? path : `./${path}`);
