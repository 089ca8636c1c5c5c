/** What one run of tests came to. */
export type Counts = { passed: number; failed: number; skipped: number };

/**
 * Reads the counts from the end of `bun test`'s stderr. The exit code alone proves nothing: `process.exit(0)` inside
 * a test ends the run with 0 and no summary. So a missing or empty summary counts as one failure, and so does a
 * bad exit code that the summary does not explain.
 */
export const readSummary = (stderr: string, exitCode: number | null): Counts => {
  const text = Bun.stripANSI(stderr);
  const end = text.lastIndexOf("\nRan ");
  const block = end < 0 ? "" : text.slice(Math.max(0, end - 400), end);
  const count = (word: string): number =>
    Number(block.match(new RegExp(`^\\s*(\\d+) ${word}s?$`, "m"))?.[1] ?? 0);
  const passed = count("pass");
  const skipped = count("skip") + count("todo");
  const failed = count("fail") + count("error");
  const isUnexplained = failed === 0 && (exitCode !== 0 || passed + skipped === 0);
  return { passed, failed: isUnexplained ? 1 : failed, skipped };
};

/** The sum of several runs. */
export const sumCounts = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, counts) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** The line that a whole run ends with. */
export const summaryLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** What one test file took. */
export type FileTime = { file: string; seconds: number; tests: number };

/** A failed test, with what `bun test` says of it. */
type FailedTest = { file: string; title: string; text: string };

/** Reads the report that `bun test --reporter=junit` writes: a file that could not be loaded is not in it. */
export const readJunit = (xml: string): { times: FileTime[]; failed: FailedTest[] } => {
  const times = [...xml.matchAll(/^ {2}<testsuite ([^>]*)>/gm)].map(([, attributes = ""]) => ({
    file: attribute(attributes, "file"),
    seconds: Number(attribute(attributes, "time")),
    tests: Number(attribute(attributes, "tests")),
  }));
  const failures = xml.matchAll(/<testcase ([^>]*[^/])>\s*<failure([^>]*)>([^<]*)/g);
  const failed = [...failures].map(([, test = "", failure = "", text = ""]) => ({
    file: attribute(test, "file"),
    title: attribute(test, "name"),
    text: decode(text).trim() || attribute(failure, "message"),
  }));
  return { times, failed };
};

const attribute = (text: string, name: string): string =>
  decode(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? "");

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? entity;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
