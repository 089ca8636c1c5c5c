import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a story of three steps, the second of which fails, and gives what it printed. */
const tell = (...flags: string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-in-order-"));
  try {
    const story = `import { inOrder } from "${import.meta.dir}/in-order.ts";
      const step = inOrder();
      const done = [];
      step("one", () => { done.push(1); });
      step("two", () => { done.push(2); throw new Error("planted"); });
      step("three", () => { if (done.join() !== "1,2") throw new Error("out of order: " + done); });`;
    writeFileSync(join(folder, "story.test.ts"), story);
    return Bun.spawnSync([process.execPath, "test", ...flags], { cwd: folder }).stderr.toString();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test("the steps of a story run in the order of their text, whatever order they are asked for in", () => {
  for (const flags of [
    [],
    ["--randomize", "--seed=1"],
    ["--randomize", "--seed=2"],
    ["--randomize", "--seed=3"],
  ]) {
    const printed = tell(...flags);
    expect(printed).toMatch(/ 2 pass\n 1 fail\n/);
    expect(printed).toMatch(/\(fail\) two/);
  }
  expect(tell("-t", "three")).toMatch(/ 1 pass\n/);
});
