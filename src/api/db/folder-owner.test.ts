import { expect, test } from "bun:test";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestClock } from "#api/testing/clock.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { testAsRoot } from "#api/testing/other-user.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { refuseOthersFolder } from "./data-folder.ts";
import { UnfitDatabaseError } from "./embedded/errors.ts";
import { openDatabase } from "./open-database.ts";

test("root is told to work as the owner of a folder that is not root's", () => {
  const asked = () => refuseOthersFolder("/data/atrium", { user: 0, owner: 4_000_000 });
  expect(asked).toThrow("sudo -u '#4000000' atrium … --data-dir /data/atrium");
});

test("a folder of another user is refused, because that user could replace its files", () => {
  const asked = () => refuseOthersFolder("/data/atrium", { user: 1000, owner: 4_000_000 });
  expect(asked).toThrow(UnfitDatabaseError);
  expect(asked).toThrow("belongs to #4000000, who could replace everything in it. Set a folder of your own");
});

test("an owner's folder, a new one and a volume created by root are accepted", () => {
  refuseOthersFolder("/data/atrium", { user: 0, owner: 0 });
  refuseOthersFolder("/data/atrium", { user: 0, owner: null });
  refuseOthersFolder("/data/atrium", { user: 1000, owner: 1000 });
  refuseOthersFolder("/data/atrium", { user: 1000, owner: 0 });
  refuseOthersFolder("/data/atrium", { user: undefined, owner: 1001 });
});

testAsRoot("root opens no database in a folder that is not root's, and leaves nothing there", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "atrium-owner-"));
  chownSync(dataDir, 4_000_000, 4_000_000);
  const refused = await failureOf(
    openDatabase({ databaseUrl: null, dataDir, log: createRecordingLog(), clock: createTestClock() }),
  );
  expect(String(refused)).toContain("could not use files that root creates there");
  expect(readdirSync(dataDir)).toEqual([]);
  rmSync(dataDir, { recursive: true });
});
