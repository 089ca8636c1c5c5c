import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackupFolder } from "./backup-folder.ts";

test("a sweep removes what an interrupted backup left behind, and nothing else", async () => {
  const path = mkdtempSync(join(tmpdir(), "atrium-backup-folder-"));
  try {
    const folder = createBackupFolder(path, 0);
    const content = async function* () {
      yield new Uint8Array([1, 2, 3]);
    };
    await folder.write("whole.atrium", content());
    // As a killed server leaves it.
    const name = readdirSync(path)[0] ?? "";
    writeFileSync(join(path, `${name}.part`), "half");
    expect(readdirSync(path)).toHaveLength(2);
    await folder.sweep();
    expect(readdirSync(path)).toEqual([name]);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});
