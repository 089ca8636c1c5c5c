import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testAsRoot } from "#api/testing/other-user.ts";
import { type BackupState, checkCopies } from "./check-copies.ts";

let folder = "";
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-doctor-"));
  for (const name of ["snapshots", "backups", "database"]) mkdirSync(join(folder, name));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const put = (name: string, at: Date) => {
  writeFileSync(join(folder, name), "12345");
  utimesSync(join(folder, name), at, at);
};

/** What a reader can run as it is printed. */
const command = (path = folder) => `: atrium backup --keep --data-dir ${path}`;

const judge = (embedded: boolean, database = true, at = now) =>
  checkCopies(folder, { embedded, database, backups: null }, at);

test("the age of the newest snapshot and backup is told; what is half written does not count", async () => {
  put("snapshots/20261119T1200.tar.zst", daysAgo(3));
  put("snapshots/20261120T1200.tar.zst", daysAgo(2));
  put("snapshots/20261121T1200.tar.zst.part", now);
  put("backups/atrium.tar.age", daysAgo(1));
  expect(await judge(true)).toMatchObject([
    { name: "snapshots", state: "ok", detail: "the newest of 2 is 2 days old" },
    { name: "backups", state: "ok", detail: "the newest of 1 is 24 h old, 5 bytes" },
  ]);
});

test("no backup, and an old one, are warnings with the command that makes one", async () => {
  expect(await judge(false)).toMatchObject([
    { name: "backups", state: "warn", remedy: expect.stringContaining(command()) },
  ]);
  put("backups/atrium.tar.age", daysAgo(9));
  expect(await judge(false)).toMatchObject([{ state: "warn", detail: expect.stringContaining("9 days") }]);
});

test("what a restore has put aside is no backup", async () => {
  const name = "atrium-before-restore-20261121T030000Z-0a1b2c.tar.zst";
  put(`backups/${name}`, now);
  expect(await judge(false)).toMatchObject([
    { name: "backups", state: "warn", remedy: expect.stringContaining(command()) },
  ]);
  put("backups/atrium.tar.age", daysAgo(2));
  expect(await judge(false)).toMatchObject([
    { state: "ok", detail: expect.stringContaining("of 1 is 2 days") },
  ]);
});

test("a database without any snapshot is a warning once it has had the time for one", async () => {
  put("database/PG_VERSION", now);
  expect((await judge(true))[0]).toMatchObject({ name: "snapshots", state: "ok" });
  const later = new Date(now.getTime() + 60 * 60_000);
  expect((await judge(true, true, later))[0]).toMatchObject({ name: "snapshots", state: "warn" });
});

test("what can't be checked says so, and doesn't count as none", async () => {
  rmSync(join(folder, "database"), { recursive: true });
  rmSync(join(folder, "backups"), { recursive: true });
  // Closed to root too, who would look into a folder of any mode.
  for (const name of ["database", "backups"]) symlinkSync(name, join(folder, name));
  const [snapshots, backups] = await judge(true);
  expect(snapshots).toMatchObject({
    name: "snapshots",
    state: "fail",
    detail: expect.stringContaining("ELOOP"),
  });
  expect(backups).toMatchObject({ name: "backups", state: "fail", detail: expect.stringContaining("ELOOP") });
  put("snapshots/20261121T1200.tar.zst", now);
  expect((await judge(true)).map(({ state }) => state)).toEqual(["ok", "fail"]);
});

test("nothing is asked for before there is a database", async () => {
  rmSync(join(folder, "backups"), { recursive: true });
  expect((await judge(true, false)).map(({ state }) => state)).toEqual(["ok", "ok"]);
});

describe("by the running server's word", () => {
  test("what a restore has put aside is no backup", async () => {
    const name = "atrium-before-restore-20261121T030000Z-0a1b2c.tar.zst";
    const aside = { name, place: "folder", sizeBytes: 7, createdAt: made(0).at, isEncrypted: false } as const;
    expect(await judged({ backups: [aside] })).toMatchObject({ state: "warn", detail: "no stored backup" });
  });

  const made = (days: number) => ({
    at: daysAgo(days).toISOString(),
    name: "a",
    place: "storage",
    sizeBytes: 5_000_000,
  });
  const failed: BackupState["run"] = {
    id: "1",
    state: "failed",
    place: "storage",
    isScheduled: true,
    startedAt: daysAgo(1).toISOString(),
    beatAt: daysAgo(1).toISOString(),
    stage: "writing",
    table: null,
    rows: 0,
    readBytes: 0,
    name: null,
    sizeBytes: null,
    sha256: null,
    error: "the bucket is away",
  };
  const judged = async (state: Partial<BackupState>, isEnabled = false) => {
    const schedule: BackupState["schedule"] = {
      isEnabled,
      every: { dailyAt: "03:00" },
      place: "storage",
      keepLast: 7,
      keepDays: null,
      recipients: [],
    };
    const { last = null } = state;
    const kept =
      last === null ? [] : [{ ...last, place: "storage" as const, createdAt: last.at, isEncrypted: false }];
    const backups = { backups: kept, storageFault: null, last, run: null, schedule, ...state };
    return (await checkCopies(folder, { embedded: false, database: true, backups }, now))[0];
  };

  test("backups kept elsewhere count, and are held to the schedule", async () => {
    expect(await judged({ last: made(3) })).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("storage"),
    });
    expect((await judged({ last: made(3) }, true))?.state).toBe("warn");
    expect((await judged({ last: made(1) }, true))?.state).toBe("ok");
    expect((await judged({}))?.state).toBe("warn");
  });

  test("one that is no longer where it was put does not count; another that is there does", async () => {
    const gone = await judged({ last: made(1), backups: [] });
    expect(gone).toMatchObject({
      state: "warn",
      detail: expect.stringContaining("no longer in the storage"),
    });
    const other = {
      name: "b",
      place: "folder" as const,
      sizeBytes: 7,
      createdAt: made(3).at,
      isEncrypted: false,
    };
    expect(await judged({ last: made(1), backups: [other] })).toMatchObject({
      state: "ok",
      detail: "the newest is 3 days old, 7 bytes, in the folder",
    });
    // Nobody can look while the bucket is away.
    expect((await judged({ last: made(1), backups: [], storageFault: "no answer" }))?.state).toBe("ok");
  });

  test("the newest one that went to a file counts while there is not scheduled", async () => {
    const run = (days: number): BackupState["run"] => ({
      ...{ ...failed, state: "done" as const, place: "handover" as const, error: null, isScheduled: false },
      ...{ beatAt: daysAgo(days).toISOString(), sizeBytes: 7_000 },
    });
    expect(await judged({ run: run(1) })).toMatchObject({
      state: "ok",
      detail: "the newest is 24 h old, 7.0 kB, to a file",
    });
    expect(await judged({ run: run(1), last: made(3) })).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("to a file"),
    });
    expect((await judged({ run: run(20) }))?.state).toBe("warn");
    expect((await judged({ run: run(1) }, true))?.state).toBe("warn");
  });

  test("a scheduled one that failed is a failure with its reason, until one is made", async () => {
    expect(await judged({ last: made(2), run: failed })).toMatchObject({
      state: "fail",
      detail: expect.stringContaining("the bucket is away"),
    });
    expect((await judged({ last: made(0), run: failed }))?.state).toBe("ok");
    expect((await judged({ run: { ...failed, isScheduled: false } }))?.state).toBe("warn");
    expect(
      (await judged({ last: made(2), run: { ...failed, error: "The backup was canceled" } }))?.state,
    ).toBe("ok");
  });

  test("every remedy ends with a command that works as printed for the owner of the folder", async () => {
    const late = await judged({ last: made(9) });
    for (const check of [await judged({}), await judged({}, true), late, await judged({ run: failed })])
      expect(check).toMatchObject({ remedy: expect.stringMatching(new RegExp(`${command()}$`)) });
    const odd = join(folder, "it's here");
    mkdirSync(odd);
    const [check] = await checkCopies(odd, { embedded: false, database: true, backups: null }, now);
    expect(check).toMatchObject({ remedy: expect.stringContaining(command(`'${folder}/it'\\''s here'`)) });
  });

  testAsRoot("the remedy for another user's folder runs as that user", async () => {
    const odd = join(folder, "odd");
    mkdirSync(odd);
    chownSync(odd, 1, 1);
    const [other] = await checkCopies(odd, { embedded: false, database: true, backups: null }, now);
    expect(other).toMatchObject({ remedy: expect.stringMatching(/: sudo -u \S+ atrium backup --keep /) });
  });
});
