import { expect, test } from "bun:test";
import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

const run = (...words: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: projectRoot });
  return [exitCode, stdout.toString(), stderr.toString()];
};

test.each(["features/app.ts", "features/make.ts", "features/sample.ts", "init.ts", "upgrade.ts"])(
  "%s prints its usage with --help, and ends with 2 where it is used wrongly",
  (script) => {
    const path = join("scripts", script);
    expect(run(path, "--help")).toEqual([0, expect.stringMatching(/^Usage: bun run atrium /), ""]);
    expect(run(path)).toEqual([2, "", expect.stringMatching(/^error: Usage: /)]);
    expect(run(path, "--json")).toEqual([2, "", expect.stringContaining('"code": "USAGE"')]);
  },
);
