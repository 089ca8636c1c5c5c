import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataFolderForEachTest } from "#api/testing/for-each-test.ts";
import { hasEmbeddedDatabase } from "./has-embedded-database.ts";

const folder = dataFolderForEachTest();

const put = (name: string): void => {
  const path = join(folder.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x");
};

test("a folder without anything, and an empty one for a database, have none", () => {
  expect(hasEmbeddedDatabase(join(folder.path, "absent"))).toBe(false);
  mkdirSync(join(folder.path, "database"));
  put("snapshots/notes.txt");
  put("snapshots/2026-11-21T14-30-00Z.tar.zst.part");
  put("backups/atrium-20261121T143000Z-0a1b2c.tar.zst.part");
  expect(hasEmbeddedDatabase(folder.path)).toBe(false);
});

test.each([
  ["a database", "database/PG_VERSION"],
  ["something else in its place", "database"],
  ["a snapshot of one that is lost", "snapshots/2026-11-21T14-30-00Z.tar.zst"],
  ["a backup of one that is lost", "backups/atrium-20261121T143000Z-0a1b2c.tar.zst"],
  ["one that was put aside", "database.replaced-20261121T143000Z/PG_VERSION"],
  ["one that was being put in its place", "restore.json"],
])("a folder with %s has had one", (_, name) => {
  put(name);
  expect(hasEmbeddedDatabase(folder.path)).toBe(true);
});

test("a key alone is no database; beside an empty place for one it is the key of one that is lost", () => {
  put("app.key");
  expect(hasEmbeddedDatabase(folder.path)).toBe(false);
  mkdirSync(join(folder.path, "database"));
  expect(hasEmbeddedDatabase(folder.path)).toBe(true);
});
