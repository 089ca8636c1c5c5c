import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSummary, sumCounts, summaryLine } from "./test-summary.ts";

/** Runs `bun test` on one file with that text and reads its summary. */
const summaryOf = (source: string) => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-summary-"));
  try {
    writeFileSync(join(folder, "planted.test.ts"), `import { expect, test } from "bun:test";\n${source}`);
    const run = Bun.spawnSync([process.execPath, "test"], { cwd: folder, env: { ...process.env, CI: "" } });
    return { exitCode: run.exitCode, counts: readSummary(run.stderr.toString(), run.exitCode) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe("the counts of a run", () => {
  test("are what bun test printed", () => {
    const { counts } = summaryOf(`
      test("a", () => {}); test("b", () => {});
      test("c", () => { expect(1).toBe(2); });
      test["skip"]("d", () => {}); test["todo"]("e");`);
    expect(counts).toEqual({ passed: 2, failed: 1, skipped: 2 });
  });

  test("hold a failure when a test ends the process with code 0", () => {
    const { exitCode, counts } = summaryOf(`
      test("a", () => {});
      test("b", () => process.exit(0));`);
    expect(exitCode).toBe(0);
    expect(counts.failed).toBe(1);
  });

  test("hold a failure when a file cannot be imported", () => {
    expect(summaryOf(`import "./absent.ts"; test("a", () => {});`).counts.failed).toBeGreaterThan(0);
  });

  test("hold a failure when no test ran", () => {
    expect(summaryOf("").counts.failed).toBe(1);
  });

  test("hold a failure when the exit code is bad and the summary is clean", () => {
    const clean = "\n 3 pass\n 0 fail\nRan 3 tests across 1 file. [3.00ms]\n";
    expect(readSummary(clean, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
    expect(readSummary(clean, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(readSummary(clean, null)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });
});

test("several runs end in one line with their sum", () => {
  const sum = sumCounts([
    { passed: 2, failed: 0, skipped: 1 },
    { passed: 3, failed: 1, skipped: 0 },
  ]);
  expect(summaryLine(sum)).toBe("5 passed, 1 failed, 1 skipped");
});
