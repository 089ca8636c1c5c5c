import { expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#api/core/clock.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { dataFolderForEachTest } from "#api/testing/for-each-test.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { openDatabase } from "../open-database.ts";
import { movedNoteIn, removeMovedNote, writeMovedNote } from "./moved-note.ts";

const folder = dataFolderForEachTest();

const noteOfOlder = {
  movedAt: "2026-11-21T10:00:00.000Z",
  to: "postgres://db/atrium",
  version: "15.4",
  rows: 7,
};

test("a folder whose database was moved is not opened, and the error says where it went, until the note is removed", async () => {
  const note = { ...noteOfOlder, load: crypto.randomUUID() };
  writeMovedNote(folder.path, note);
  expect(movedNoteIn(folder.path)).toEqual(note);
  expect(statSync(join(folder.path, "moved-to-postgresql.json")).mode & 0o777).toBe(0o600);
  const options = { databaseUrl: null, dataDir: folder.path, log: createRecordingLog(), clock: systemClock };
  const failure = await failureOf(openDatabase(options));
  expect(failure).toMatchObject({ name: "UnusableInstallationError" });
  for (const words of [note.to, note.movedAt, "DATABASE_URL", "remove"])
    expect(String(failure)).toContain(words);
  // Nothing was made beside it.
  expect(readdirSync(folder.path)).toEqual(["moved-to-postgresql.json"]);
  removeMovedNote(folder.path);
  expect(movedNoteIn(folder.path)).toBeNull();
});

test("a note without a load, as older versions wrote it, matches no load", () => {
  writeFileSync(join(folder.path, "moved-to-postgresql.json"), JSON.stringify(noteOfOlder));
  expect(movedNoteIn(folder.path)).toEqual({ ...noteOfOlder, load: "" });
});
