import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#api/core/clock.ts";
import { swapListName } from "#api/db/complete-swap.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { withMoveParts } from "./plan-move.ts";

const folder = makeDataFolder();
const log = createRecordingLog();
const inFolder = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  const handle = await openDatabase({ databaseUrl: null, dataDir: folder.path, log, clock: systemClock });
  await handle.close();
}, 60_000);
afterAll(() => folder.remove());

test("what is no address of a PostgreSQL server is told before anything is opened", async () => {
  const settings = {
    dataDir: "/nonexistent",
    appSecret: null,
    appSecretPrevious: null,
    log,
    clock: systemClock,
  };
  const failure = await failureOf(
    withMoveParts({ ...settings, targetUrl: "mysql://a@db/x" }, async () => {}),
  );
  expect(failure).toMatchObject({ name: "TargetAddressError" });
});

test("a restore that was killed before its last step is completed before its database and its key are moved", async () => {
  mkdirSync(inFolder("restore.part"));
  renameSync(inFolder("database"), inFolder("restore.part/database"));
  writeFileSync(
    inFolder("restore.part/app.key"),
    "a-key-for-tests-with-enough-distinct-characters-0123456789",
  );
  const moves = ["database", "app.key"].map((to) => ({ from: `restore.part/${to}`, to, aside: `${to}.old` }));
  writeFileSync(inFolder(swapListName), JSON.stringify(moves));
  const failure = await failureOf(
    withMoveParts(
      {
        dataDir: folder.path,
        appSecret: null,
        appSecretPrevious: null,
        // No one listens there: both the database and the key have been opened before that shows.
        targetUrl: "postgres://app@127.0.0.1:1/atrium",
        log,
        clock: systemClock,
      },
      async () => {},
    ),
  );
  expect(String(failure)).toContain("the PostgreSQL server at 127.0.0.1:1 cannot be reached");
  expect([existsSync(inFolder("database")), existsSync(inFolder(swapListName))]).toEqual([true, false]);
}, 60_000);
