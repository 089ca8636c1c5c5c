import { beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#api/core/clock.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { dataFolderForEachTest } from "#api/testing/for-each-test.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { swapListName } from "./complete-swap.ts";
import { holdDataFolder } from "./data-folder.ts";
import { openLibc } from "./embedded/libc.ts";
import { lockFolder } from "./embedded/lock.ts";
import { DataFolderInUseError, openDatabase } from "./open-database.ts";

const folder = dataFolderForEachTest();
beforeEach(() => {
  // As a restore leaves it that was killed once it had decided on the swap.
  put("app.key", "former");
  put("app.key.restored", "restored");
  put(
    swapListName,
    JSON.stringify([{ from: "app.key.restored", to: "app.key", aside: "app.key.replaced-1" }]),
  );
});

const put = (name: string, content: string): void => writeFileSync(join(folder.path, name), content);
const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
const open = () =>
  openDatabase({ databaseUrl: null, dataDir: folder.path, log: createRecordingLog(), clock: systemClock });

test("only the process that holds the folder completes a swap: a restore may be making it at this moment", async () => {
  expect((await lockFolder(folder.path, openLibc(), 0)).isHeld).toBe(true);
  expect(await failureOf(open())).toBeInstanceOf(DataFolderInUseError);
  expect([read("app.key"), existsSync(join(folder.path, swapListName))]).toEqual(["former", true]);
});

const expectSwapped = () => {
  expect([read("app.key"), read("app.key.replaced-1")]).toEqual(["restored", "former"]);
  expect(readdirSync(folder.path)).not.toContain(swapListName);
};

test("an interrupted swap is completed by the next process that holds the folder", async () => {
  await holdDataFolder(folder.path);
  expectSwapped();
});

test("an interrupted swap is completed by the embedded database's process before it looks for a database", async () => {
  const handle = await open();
  expectSwapped();
  await handle.close();
});

test("a swap that cannot be completed keeps the database closed, and the error explains it", async () => {
  put(swapListName, "no list");
  const failure = String(await failureOf(open()));
  expect(failure).toContain("stopped before its last step");
  expect(failure).toContain(join(folder.path, swapListName));
  expect(readdirSync(folder.path)).not.toContain("database");
});
