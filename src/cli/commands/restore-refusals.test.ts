import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { toolsFor } from "#cli/testing/restore-tools.ts";
import { run } from "#cli/testing/run.ts";

const folder = makeDataFolder();
afterAll(folder.remove);
const file = join(folder.path, "atrium.tar.zst");
writeFileSync(file, "bytes of a backup");

test.each([
  ["ArchiveError", 1],
  ["UnusableKeyError", 78],
  ["UnfitDatabaseError", 78],
  ["DataFolderInUseError", 75],
])(
  "a %s ends it with %i: 78 is for what the installation itself is not fit for, 1 for what was handed in",
  async (name, code) => {
    const restore = () => Promise.reject(Object.assign(new Error("no"), { name }));
    expect((await run(["restore", file, "--yes"], toolsFor({ restore }).world)).code).toBe(code);
  },
);
