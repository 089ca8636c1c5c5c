import { expect, test } from "bun:test";
import { inUse, noBucket, plainStatus } from "#cli/testing/system-status.ts";
import type { StorageState } from "#contract/settings.ts";
import { checkStorage } from "./check-services.ts";

const judge = (storage: StorageState) => checkStorage({ status: { ...plainStatus, storage } });
const bucket: StorageState = {
  ...inUse,
  server: "https://r2.example",
  home: "r2",
  inDatabase: 20,
  inR2: 100,
  migration: null,
};
const moving = { moved: 100, total: 120, bytes: 4_000_000, failed: 0 };

test("files in the database are fine, and counted", () => {
  expect(judge(noBucket)).toMatchObject({
    name: "object storage",
    state: "ok",
    detail: "in the database; 3 files in the database, 0 files in the bucket",
  });
});

test("a bucket in use is fine, also while files move there, which is shown", () => {
  expect(judge({ ...bucket, migration: moving })).toMatchObject({
    state: "ok",
    detail:
      "https://r2.example, in use since 2026-11-20 18:40Z; 20 files in the database, 100 files in the bucket; " +
      "100 of 120 moved to the bucket (4.0 MB)",
  });
});

test("files that could not be moved are a warning", () => {
  expect(judge({ ...bucket, migration: { ...moving, failed: 2 } })).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("2 failed"),
  });
});

test("a bucket that is away is a failure with the reason and a remedy", () => {
  expect(judge({ ...bucket, state: "away", reason: "access denied" })).toMatchObject({
    state: "fail",
    detail: expect.stringContaining("https://r2.example unavailable since 2026-11-20 18:40Z: access denied"),
    remedy: expect.stringContaining("settings test r2"),
  });
});

test("a bucket that was not tried yet is a warning, and without a server nothing is known", () => {
  expect(judge({ ...bucket, state: "connecting" }).state).toBe("warn");
  expect(checkStorage(null)).toMatchObject({ state: "ok", detail: expect.stringContaining("unknown") });
  expect(checkStorage({ problem: "no answer" }).state).toBe("warn");
});
