import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { filesOf, type Suite, type Tier } from "./suites.ts";
import { type Counts, type FileTime, readJunit, readSummary, sumCounts } from "./test-summary.ts";

type SuiteRun = {
  name: string;
  tier: Tier;
  /** Files or folders that are asked for: those of the tier below them, or, of all files, what `bun test` finds there. */
  paths: readonly string[];
  /** Decides the order of the tests of a file; `null` for the order in which they are written. */
  seed: number | null;
  /** Passed on to `bun test`. */
  flags: readonly string[];
  /** At full size a suite may take hours: it then has no limit. */
  isFull: boolean;
  /** Whether all that `bun test` prints is shown, in place of progress and failures. */
  isVerbose: boolean;
  env: Record<string, string>;
};

/** What came of a suite, and what each of its files took. */
export type SuiteResult = Counts & { times: FileTime[] };

/** Where each run leaves its log and its junit report, for reading and for `bun run test --slowest`. */
export const resultsFolder: string = join(projectRoot, "dist/test-results");

/**
 * Runs the files of a suite with `bun test`: those that may run side by side first, then the others. What was asked for
 * by path or flag, without a tier, runs in one go, as the others do.
 */
export const runSuite = async (suite: Suite, run: SuiteRun): Promise<SuiteResult> => {
  const isAskedFor = (file: string) =>
    run.paths.length === 0 || run.paths.some((path) => file === path || file.startsWith(`${path}/`));
  const isByPath = run.paths.length > 0 && run.tier === "all";
  const parts = isByPath ? [run.paths] : split(suite, filesOf(suite, run.tier).filter(isAskedFor));
  const results: SuiteResult[] = [];
  for (const [index, paths] of parts.entries()) {
    if (paths.length === 0) continue;
    const filesAtOnce =
      index === 0 && parts.length > 1 ? (suite.sideBySide?.filesAtOnce ?? 1) : suite.filesAtOnce;
    results.push(await runFiles({ ...suite, filesAtOnce }, { ...run, paths }, index));
  }
  return { ...sumCounts(results), times: results.flatMap(({ times }) => times) };
};

const split = ({ sideBySide }: Suite, files: string[]): string[][] =>
  sideBySide === null
    ? [files]
    : [
        files.filter((file) => sideBySide.files.includes(file)),
        files.filter((file) => !sideBySide.files.includes(file)),
      ];

/** A run that passes the suite's limit is killed with everything that it started and counts as failed. */
const runFiles = async (suite: Suite, run: SuiteRun, part: number): Promise<SuiteResult> => {
  mkdirSync(resultsFolder, { recursive: true });
  const report = join(resultsFolder, `${run.name}-${part}.xml`);
  const log = join(resultsFolder, `${run.name}-${part}.log`);
  for (const path of [report, log]) rmSync(path, { force: true });
  const abreast = suite.filesAtOnce > 1 ? [`--parallel=${suite.filesAtOnce}`, "--no-isolate"] : [];
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const flags = [...always, ...reporter, ...abreast, ...orderFlags(run.seed), ...run.flags];
  const child = Bun.spawn([process.execPath, "test", ...flags, ...run.paths.map(asPath)], {
    cwd: projectRoot,
    env: { ...process.env, ...run.env },
    stdio: ["ignore", run.isVerbose ? "inherit" : Bun.file(`${log}.out`), "pipe"],
    killSignal: "SIGKILL",
    ...(run.isFull ? {} : { timeout: suite.limitMinutes * 60_000 }),
  });
  const output = await follow(child.stderr, run, log);
  const exitCode = await child.exited;
  rmSync(`${log}.out`, { force: true });
  const wasKilled = child.signalCode === "SIGKILL";
  if (wasKilled) console.error(`${run.name}: killed after ${suite.limitMinutes} minutes`);
  const counts = readSummary(output.tail(), child.signalCode === null ? exitCode : null);
  const { times, failed } = existsSync(report)
    ? readJunit(readFileSync(report, "utf8"))
    : { times: [], failed: [] };
  if (!run.isVerbose) {
    for (const { file, title, text } of failed) {
      console.error(`\n✗ ${file} > ${title}\n${indent(text)}\n  again: ${againCommand(run, file, title)}`);
    }
    for (const error of output.strayErrors()) console.error(`\n✗ ${error}`);
    if (counts.failed > failed.length) console.error(`\nThe end of ${log}:\n${indent(output.tail())}`);
  }
  return { ...counts, times };
};

const follow = async (
  stream: ReadableStream<Uint8Array>,
  run: SuiteRun,
  log: string,
): Promise<TestOutput> => {
  const progress = run.isVerbose
    ? null
    : createProgress((text) => process.stderr.write(text), process.stderr.isTTY);
  const output = followOutput((title) => progress?.say(`✗ ${title}`));
  const file = Bun.file(log).writer();
  const startedAt = performance.now();
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    file.write(chunk);
    if (run.isVerbose) process.stderr.write(chunk);
    output.take(decoder.decode(chunk, { stream: true }));
    if (progress !== null) tell(progress, run, output, (performance.now() - startedAt) / 1000);
  }
  await file.end();
  progress?.end();
  return output;
};

const tell = (progress: Progress, run: SuiteRun, output: TestOutput, seconds: number): void => {
  const { passed, failed, files } = output.seen();
  const of = run.flags.length > 0 ? "" : ` of ${run.paths.length}`;
  progress.update(`${run.name}  ${minutes(seconds)}  file ${files}${of}, ${passed} passed, ${failed} failed`);
};

/** The command that runs one failed test again: in random order with its whole file, since what ran before it may matter. */
export const againCommand = (
  { name, seed }: Pick<SuiteRun, "name" | "seed">,
  file: string,
  title: string,
): string => {
  if (seed !== null) return `bun run test ${name} ${file} --seed=${seed}`;
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", ".");
  return `bun run test ${name} ${file} -t '${pattern}'`;
};

/** With one seed, a file runs in the same order alone and in a whole run. */
const orderFlags = (seed: number | null): string[] =>
  seed === null ? [] : ["--randomize", `--seed=${seed}`];

const indent = (text: string): string => text.replace(/^/gm, "  ");

/**
 * One file after the other unless the suite says otherwise, because several tests measure time and password hashing alone
 * fills the cores. Side by side, each process begins with another part of the files in the order of their paths and then
 * takes over from the others: what takes longest should not come last in it. The files of a process share its modules:
 * loading and compiling them for each file would double what the unit suite computes. `tests/preload.ts` names a file that
 * leaves a variable or a replaced function to the next. The limit for a test is made for a browser page or a restart of the
 * database on a busy machine; Bun's own is five seconds.
 */
const always = ["--no-orphans", "--timeout=90000"];

/** With a leading `./` the word is a folder or file; without it `bun test` looks for it anywhere in a path. */
const asPath = (path: string): string => (path.startsWith("/") || path.startsWith(".") ? path : `./${path}`);

/** Follows what `bun test` prints while it runs. */
type TestOutput = {
  /** Takes the next piece of its standard error. */
  take(text: string): void;
  /** Its last lines, colors removed: enough for the summary. */
  tail(): string;
  /** Tests that passed, tests that failed, and the files seen so far. */
  seen(): { passed: number; failed: number; files: number };
  /** Errors outside of tests, which the junit report leaves out, each with its file. */
  strayErrors(): string[];
};

/** `onFailure` hears of each failed test as soon as it is printed. */
export const followOutput = (onFailure: (title: string) => void): TestOutput => {
  let rest = "";
  let tail = "";
  let file = "";
  let passed = 0;
  let failed = 0;
  const files = new Set<string>();
  const stray: string[] = [];
  let block: string[] | null = null;
  let isOver = false;
  const takeLine = (line: string): void => {
    // A long run ends with a list of the failures that it has told of.
    isOver ||= /^\d+ tests? failed:$/.test(line);
    if (isOver) return;
    const header = /^(\S.*\.test\.tsx?):$/.exec(line)?.[1];
    if (header !== undefined) {
      file = header;
      files.add(file);
    }
    if (line.startsWith("(pass) ")) passed += 1;
    if (line.startsWith("(fail) ")) {
      failed += 1;
      onFailure(`${file} > ${line.slice(7).replace(/ \[[^\]]*\]$/, "")}`);
    }
    if (line.startsWith("# Unhandled error")) block = [file];
    else if (block !== null && (block.length > 1 || !line.startsWith("---"))) {
      if (line.startsWith("---")) {
        stray.push(block.join("\n"));
        block = null;
      } else block.push(line);
    }
  };
  return {
    take: (text) => {
      const lines = `${rest}${Bun.stripANSI(text)}`.split("\n");
      rest = lines.pop() ?? "";
      tail = (tail + Bun.stripANSI(text)).slice(-tailCharacters);
      for (const line of lines) takeLine(line);
    },
    tail: () => tail,
    seen: () => ({ passed, failed, files: files.size }),
    strayErrors: () => stray,
  };
};

const tailCharacters = 6000;

/** Shows how far a long run is, on standard error. */
type Progress = {
  /** What the run is doing now. */
  update(text: string): void;
  /** Prints a line that stays. */
  say(line: string): void;
  /** Ends the moving line. */
  end(): void;
};

/** On a terminal one moving line; elsewhere, where a line stays, one a minute. */
export const createProgress = (write: (text: string) => void, isTerminal: boolean): Progress => {
  let latest = "";
  const timer = setInterval(
    () => write(isTerminal ? `\r\x1b[K${latest}` : `${latest}\n`),
    isTerminal ? 200 : 60_000,
  );
  timer.unref();
  return {
    update: (text) => {
      latest = text.slice(0, isTerminal ? (process.stderr.columns ?? 80) - 1 : undefined);
    },
    say: (line) => write(isTerminal ? `\r\x1b[K${line}\n` : `${line}\n`),
    end: () => {
      clearInterval(timer);
      if (isTerminal) write("\r\x1b[K");
    },
  };
};

/** `90` as `1:30`. */
export const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
