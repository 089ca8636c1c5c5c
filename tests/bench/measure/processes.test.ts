import { expect, test } from "bun:test";
import { cpuUs, parentOf, processTree, residentBytes } from "./processes.ts";

test("the time of a child that worked and ended counts for its parent", async () => {
  const before = cpuUs([process.pid]);
  const work = "while (process.cpuUsage().user < 100_000);";
  expect(await Bun.spawn([process.execPath, "-e", work]).exited).toBe(0);
  expect(cpuUs([process.pid]) - before).toBeGreaterThanOrEqual(50_000);
});

test("a tree holds the root and its living child", async () => {
  const child = Bun.spawn(["sleep", "30"]);
  try {
    expect(processTree(process.pid)).toContain(child.pid);
    expect(processTree(process.pid)[0]).toBe(process.pid);
    expect(parentOf(child.pid)).toBe(process.pid);
  } finally {
    child.kill();
    await child.exited;
  }
});

test("a process that is gone has used nothing and holds nothing", () => {
  const gone = 4_194_305;
  expect(cpuUs([gone])).toBe(0);
  expect(residentBytes([gone])).toBe(0);
  expect(() => parentOf(gone)).toThrow("has ended");
});
