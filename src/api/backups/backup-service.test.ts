import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import type { BackupOrder, BackupService } from "#api/core/backups.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import type { Snapshots } from "#api/db/snapshots/create-snapshots.ts";
import { cancelBackup, removeBackup } from "#api/modules/backups/change-backups.ts";
import { findLastBackup } from "#api/modules/backups/index.ts";
import { findScheduled } from "#api/modules/backups/store.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { createBackupService } from "./backup-service.ts";

const order: BackupOrder = { place: "folder", recipients: [], isScheduled: false, isWithKey: false };

let database: TestDatabase;
let folder: ReturnType<typeof makeDataFolder>;
let ctx: TestContext;
/** Called when the making reads the database. */
let onCopy: () => Promise<void>;
beforeEach(async () => {
  database = await openTestDatabase();
  folder = makeDataFolder();
  ctx = testContext({ db: database.db, actor: { kind: "operator" } });
  onCopy = async () => {};
});
afterEach(async () => {
  await database.close();
  folder.remove();
});

/** The service of a server that is on this database, as far as a making asks for it. */
const openService = (snapshots: DatabaseHandle["snapshots"] = null): BackupService => {
  const handle: Partial<DatabaseHandle> = {
    db: database.db,
    kind: "embedded",
    snapshots,
    describe: async () => {
      await onCopy();
      return { version: "18.0", sizeBytes: 0 };
    },
  };
  return createBackupService({
    handle: handle as DatabaseHandle,
    objects: { get: async () => null },
    settings: ctx.settings,
    activity: ctx.activity,
    clock: ctx.clock,
    log: ctx.log,
    dataDir: folder.path,
    s3Endpoints: [],
    key: "key",
  });
};

const files = () => {
  const kept = join(folder.path, "backups");
  return [
    ...readdirSync(folder.path).filter((name) => name !== "backups"),
    ...(existsSync(kept) ? readdirSync(kept) : []),
  ];
};

test("a making that is canceled ends, is told as canceled, and leaves nothing but its row in the log", async () => {
  const recorded = createActivityReader(ctx);
  const service = openService();
  const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  onCopy = () => {
    begin();
    return mayGoOn;
  };
  const making = service.make(await service.claim(database.db, order), order);
  await isBegun;
  const cancelling = cancelBackup({ ...ctx, backups: service });
  // It ends with its next piece.
  goOn();
  expect(await cancelling).toEqual({ message: backupTexts.cancelling });
  expect(await making).toMatchObject({ state: "failed", name: null, error: backupTexts.cancelled });
  expect(ctx.logged).toContainEqual(expect.objectContaining({ message: "a backup was interrupted" }));
  expect(await service.run()).toMatchObject({ state: "failed", error: backupTexts.cancelled });
  expect((await service.list()).backups).toEqual([]);
  expect([files(), await findLastBackup(database.db)]).toEqual([[], null]);
  expect((await recorded()).map(({ action, status }) => [action, status])).toEqual([
    ["Canceled a backup", "success"],
  ]);
});

test("one that another server cancels while it comes to its end is not kept", async () => {
  const [ours, theirs] = [openService(), openService()];
  onCopy = async () => {
    await theirs.halt(await theirs.cancel(database.db));
  };
  const run = await ours.make(await ours.claim(database.db, order), order);
  expect(run).toMatchObject({ state: "failed", name: null, error: backupTexts.cancelled });
  expect(files()).toEqual([]);
});

test("without object storage no backup is brought there, and none is begun", async () => {
  const service = openService();
  const claiming = service.claim(database.db, { ...order, place: "storage" });
  await expect(claiming).rejects.toMatchObject({ kind: "CONFLICT", message: backupTexts.noStorage });
  expect(await service.run()).toBeNull();
});

test("without a making there is nothing to cancel, which changes nothing", async () => {
  const service = openService();
  const cancel = () => cancelBackup({ ...ctx, backups: service });
  await expect(cancel()).rejects.toMatchObject({ kind: "CONFLICT", message: backupTexts.notUnderWay });
  const made = await service.make(await service.claim(database.db, order), order);
  await expect(cancel()).rejects.toMatchObject({ kind: "CONFLICT", message: backupTexts.notUnderWay });
  expect(await service.run()).toMatchObject({ state: "done", name: made.name });
  expect(files()).toEqual([made.name ?? ""]);
});

test.each([
  ["would leave too little disk space", new AppError("STORAGE_FULL")],
  ["finds the disk full", Object.assign(new Error("no space left on device"), { code: "ENOSPC" })],
])("one whose copy of the database %s says that the disk is full, and leaves nothing", async (_, error) => {
  const copying: Partial<Snapshots> = { copyCluster: () => Promise.reject(error) };
  const service = openService(copying as Snapshots);
  const run = await service.make(await service.claim(database.db, order), order);
  expect(run).toMatchObject({ state: "failed", name: null, error: errorTexts.STORAGE_FULL });
  expect(files()).toEqual([]);
});

test("a making of a killed server whose clock was ahead keeps none from being begun", async () => {
  const service = openService();
  const years = 4 * 365 * 24 * 60 * 60_000;
  ctx.clock.turn(years);
  await service.claim(database.db, order);
  ctx.clock.turn(-years);
  expect(await service.run()).toMatchObject({ state: "failed", error: backupTexts.brokenOff });
  expect(await service.claim(database.db, order)).toMatchObject({ state: "running" });
});

test("what the schedule makes is recorded as its own until it is removed, what is made by hand never", async () => {
  const service = openService();
  await service.make(await service.claim(database.db, order), order);
  const scheduled = { ...order, isScheduled: true };
  const { name } = await service.make(await service.claim(database.db, scheduled), scheduled);
  expect([...(await findScheduled(database.db))]).toEqual([name ?? ""]);
  await removeBackup({ ...ctx, backups: service }, { place: "folder", name: name ?? "" });
  expect((await findScheduled(database.db)).size).toBe(0);
});
