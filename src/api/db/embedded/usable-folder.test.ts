import { expect, test } from "bun:test";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolderForEachTest } from "#api/testing/for-each-test.ts";
import { makeUsable, openFolderComplaint, UnfitDatabaseError } from "./errors.ts";

const folder = dataFolderForEachTest();

test("a data folder is made for its owner alone", () => {
  const dataDir = join(folder.path, "a", "data");
  makeUsable(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

test("one that cannot be made is told to the operator with its path and the reason", () => {
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  expect(() => makeUsable(join(file, "data"))).toThrow(UnfitDatabaseError);
  for (const path of [file, join(file, "data")])
    expect(() => makeUsable(path)).toThrow(/is a file\. Set a folder with DATA_DIR$/);
});

test("M1: one that every user may write to is complained of", () => {
  const dataDir = join(folder.path, "data");
  expect(openFolderComplaint(dataDir)).toBeNull();
  makeUsable(dataDir);
  expect(openFolderComplaint(dataDir)).toBeNull();
  chmodSync(dataDir, 0o777);
  expect(openFolderComplaint(dataDir)).toContain(`chmod 700 ${dataDir}`);
});
