import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { followOutput } from "./run-suite.ts";
import { readJunit } from "./test-summary.ts";

/** Runs `bun test` on these files, and gives its report and its output. */
const run = (files: Record<string, string>): { xml: string; output: string } => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-junit-"));
  try {
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), `import { describe, expect, test } from "bun:test";\n${text}`);
    const report = join(folder, "report.xml");
    const words = ["--reporter=junit", `--reporter-outfile=${report}`];
    const child = Bun.spawnSync([process.execPath, "test", ...words], { cwd: folder });
    return { xml: readFileSync(report, "utf8"), output: child.stderr.toString() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test("a run's report names each file once, and each failure with its reason; its output names the errors beside them", () => {
  const { xml, output } = run({
    "good.test.ts": `describe("a group", () => { test("one", () => {}); test("<two>", () => {}); });`,
    "bad.test.ts": `describe("a group", () => { test('says "no" & <ends>', () => { expect(1).toBe(2); }); });`,
    "broken.test.ts": `import "./absent.ts";`,
  });

  const { times, failed } = readJunit(xml);
  expect(times.map(({ file, tests }) => [file, tests]).sort()).toEqual([
    ["bad.test.ts", 1],
    ["good.test.ts", 2],
  ]);
  expect(times.every(({ seconds }) => seconds > 0)).toBe(true);
  expect(failed).toMatchObject([{ file: "bad.test.ts", title: 'says "no" & <ends>' }]);
  expect(failed[0]?.text).toContain("Expected: 2");
  expect(failed[0]?.text).toContain("bad.test.ts:2");

  const failures: string[] = [];
  const followed = followOutput((title) => failures.push(title));
  const repeated = '1 tests failed:\n(fail) a group > says "no" & <ends> [1.00ms]\n';
  // In pieces of any size, as a pipe delivers them.
  for (let at = 0; at < output.length; at += 7) followed.take(output.slice(at, at + 7));
  followed.take(repeated);
  expect(failures).toEqual(['bad.test.ts > a group > says "no" & <ends>']);
  expect(followed.seen()).toEqual({ passed: 2, failed: 1, files: 3 });
  expect(followed.strayErrors()).toEqual([expect.stringContaining("broken.test.ts\n")]);
  expect(followed.strayErrors()[0]).toContain("Cannot find module");
});
