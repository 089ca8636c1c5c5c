import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { DatabasePool } from "#api/core/database.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { type DatabaseHandle, openDatabase } from "../open-database.ts";
import { createSnapshots, type Snapshots, startSnapshotSchedule } from "./create-snapshots.ts";
import { restoreSnapshot, UnfitSnapshotError } from "./restore-snapshot.ts";
import { listSnapshots, snapshotPath } from "./snapshot-files.ts";

const clock = createTestClock();
const log = createRecordingLog();
let folder: ReturnType<typeof makeDataFolder>;
let handle: DatabaseHandle;
let snapshots: Snapshots;

const open = (dataDir: string) => openDatabase({ databaseUrl: null, dataDir, log, clock });

const reopen = async (): Promise<void> => {
  handle = await open(folder.path);
  if (handle.snapshots === null) throw new Error("the embedded database has snapshots");
  snapshots = handle.snapshots;
};

beforeAll(async () => {
  folder = makeDataFolder();
  await reopen();
  await handle.db.execute(sql`create table pairs (n int, side text)`);
});

beforeEach(() => clock.advance(1_000));

afterAll(async () => {
  await handle.close();
  folder.remove();
});

const cluster = () => ({
  folder: join(folder.path, "database"),
  db: asPool(handle.db),
  patiently: <T>(work: () => Promise<T>) => work(),
});

/** What an open handle holds is the pool; its type leaves that out. */
const asPool = (db: DatabaseHandle["db"]): DatabasePool => db as DatabasePool;

/** Both sides in one transaction: half of a pair must never be seen. */
const addPair = (n: number): Promise<void> =>
  handle.db.transaction(async (tx) => {
    await tx.execute(sql`insert into pairs values (${n}::int, 'left')`);
    await tx.execute(sql`insert into pairs values (${n}::int, 'right')`);
  });

/** Adds pairs until `work` is done; resolves to what it came to and to how many were acknowledged before it began. */
const whileWriting = async <T>(work: () => Promise<T>): Promise<{ result: T; before: number[] }> => {
  const added: number[] = [];
  let isDone = false;
  const writers = Array.from({ length: 3 }, async (_, writer) => {
    for (let n = (clock.now().getTime() % 1e8) | 0; !isDone; n += 1) {
      await addPair(n * 3 + writer);
      added.push(n * 3 + writer);
    }
  });
  while (added.length < 20) await Bun.sleep(1);
  const before = [...added];
  const result = await work();
  isDone = true;
  await Promise.all(writers);
  return { result, before };
};

const pairsIn = async ({ db }: DatabaseHandle): Promise<{ whole: Set<number>; halves: number }> => {
  const rows = await db.execute<{ n: number; sides: number }>(
    sql`select n, count(*)::int as sides from pairs group by n`,
  );
  return {
    whole: new Set(rows.map(({ n }) => n)),
    halves: rows.filter(({ sides }) => sides !== 2).length,
  };
};

const expectWhole = async (database: DatabaseHandle, acknowledged: number[]): Promise<void> => {
  const { whole, halves } = await pairsIn(database);
  expect(acknowledged.filter((n) => !whole.has(n))).toEqual([]);
  expect(halves).toBe(0);
};

test("a snapshot made under load holds all that was acknowledged before, and what it replaces is kept", async () => {
  const { result: made, before } = await whileWriting(() => snapshots.take());
  expect(statSync(made.path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder.path, "snapshots"))).toContain(`${made.name}.tar.zst`);
  expect(readdirSync(join(folder.path, "snapshots")).filter((name) => name.endsWith(".part"))).toEqual([]);
  await addPair(-1);
  await handle.close();
  const { replaced } = await restoreSnapshot({ dataDir: folder.path, name: made.name, now: clock.now() });
  await reopen();
  await expectWhole(handle, before);
  expect((await pairsIn(handle)).whole.has(-1)).toBe(false);
  // Nothing of the former database is lost.
  const former = makeDataFolder();
  await Bun.$`cp -a ${replaced} ${join(former.path, "database")}`;
  const old = await open(former.path);
  await expectWhole(old, [...before, -1]);
  await old.close();
  former.remove();
});

test("another process can open a copy of the running database", async () => {
  const other = makeDataFolder();
  const { before } = await whileWriting(() => snapshots.copyCluster(join(other.path, "database")));
  const copy = await open(other.path);
  await expectWhole(copy, before);
  await copy.db.execute(sql`insert into pairs values (-2, 'left')`);
  expect((await pairsIn(handle)).whole.has(-2)).toBe(false);
  await copy.close();
  other.remove();
});

test("a copy goes nowhere where something is, and spoils no later one", async () => {
  const other = makeDataFolder();
  expect(await failureOf(snapshots.copyCluster(other.path))).toMatchObject({ code: "EEXIST" });
  await snapshots.copyCluster(join(other.path, "database"));
  expect(existsSync(join(other.path, "database", "backup_label"))).toBe(true);
  other.remove();
});

test("simultaneous snapshots are made one after another, each under its own name", async () => {
  const made = await Promise.all([snapshots.take(), snapshots.take("2.0.0"), snapshots.take()]);
  expect(new Set(made.map(({ name }) => name)).size).toBe(3);
  expect(made.map(({ before }) => before)).toEqual([null, "2.0.0", null]);
});

test.each([
  ["cut in the middle", (path: string) => truncateSync(path, statSync(path).size >> 1)],
  ["empty", (path: string) => truncateSync(path, 0)],
  [
    "changed",
    async (path: string) => {
      const bytes = await Bun.file(path).bytes();
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      await Bun.write(path, bytes);
    },
  ],
])("a snapshot that is %s is refused and nothing is changed", async (_name, spoil) => {
  const other = makeDataFolder();
  mkdirSync(join(other.path, "database"));
  writeFileSync(join(other.path, "database", "PG_VERSION"), "18\n");
  const { name, path } = await snapshots.take();
  mkdirSync(join(other.path, "snapshots"));
  const spoilt = snapshotPath(other.path, name);
  await Bun.write(spoilt, Bun.file(path));
  await spoil(spoilt);
  const failure = await failureOf(restoreSnapshot({ dataDir: other.path, name, now: clock.now() }));
  expect(failure).toBeInstanceOf(UnfitSnapshotError);
  expect(String(failure)).toContain("Nothing was changed");
  expect(readdirSync(other.path).sort()).toEqual(["database", "snapshots"]);
  expect(readdirSync(join(other.path, "database"))).toEqual(["PG_VERSION"]);
  other.remove();
});

test("a name that does not exist is refused with those that do", async () => {
  const { name } = await snapshots.take();
  const failure = await failureOf(
    restoreSnapshot({ dataDir: folder.path, name: "../database", now: clock.now() }),
  );
  expect(failure).toBeInstanceOf(UnfitSnapshotError);
  expect(String(failure)).toContain(name);
});

test("where a snapshot would leave too little disk space none is made, nothing is left, and the next one works", async () => {
  await snapshots.take();
  const before = readdirSync(join(folder.path, "snapshots"));
  const scarce = createSnapshots({ dataDir: folder.path, cluster: cluster(), clock, reserveBytes: 2 ** 60 });
  expect(await failureOf(scarce.take())).toMatchObject({ kind: "STORAGE_FULL" });
  expect(readdirSync(join(folder.path, "snapshots"))).toEqual(before);
  await snapshots.take();
});

test.each([
  ["from the start", 0],
  ["once some of it is written", 1],
])(
  "a copy for a backup that would leave too little disk space %s ends with STORAGE_FULL, and nothing of it stays",
  async (_, roomyLooks) => {
    const target = join(folder.path, "copied");
    let looks = 0;
    const freeBytes = async (): Promise<number> => (looks++ < roomyLooks ? 2 ** 40 : 2 ** 20);
    const scarce = createSnapshots({ dataDir: folder.path, cluster: cluster(), clock, freeBytes });
    expect(await failureOf(scarce.copyCluster(target))).toMatchObject({ kind: "STORAGE_FULL" });
    expect([looks, existsSync(target)]).toEqual([roomyLooks + 1, false]);
    // What the failed one had begun hinders the next one as little.
    await snapshots.copyCluster(target);
    expect(existsSync(join(target, "backup_label"))).toBe(true);
    rmSync(target, { recursive: true });
  },
);

test("every 15 minutes one is made if something was written", async () => {
  const schedule = startSnapshotSchedule({ snapshots, dataDir: folder.path, clock, log });
  const names = async () => (await listSnapshots(folder.path, clock.now())).map(({ name }) => name);
  const takenBy = async (minutes: number): Promise<boolean> => {
    clock.advance(minutes * 60_000);
    const [before] = await names();
    await schedule.look();
    return (await names())[0] !== before;
  };
  await addPair(-3);
  expect(await takenBy(16)).toBe(true);
  expect(await takenBy(16)).toBe(false);
  await addPair(-4);
  expect(await takenBy(0)).toBe(true);
  await addPair(-5);
  expect(await takenBy(14)).toBe(false);
  expect(await takenBy(1)).toBe(true);
  schedule.stop();
});

test("a log that has become long is thrown away, though nothing else would do so", async () => {
  const oldest = () =>
    readdirSync(join(folder.path, "database/pg_wal"))
      .filter((name) => name.length === 24)
      .sort()[0] ?? "";
  await handle.db.execute(
    sql`create table filler as select md5(n::text) || repeat('x', 900) as text from generate_series(1, 9000) as n`,
  );
  const shorten = (longLogBytes: number) =>
    createSnapshots({ dataDir: folder.path, cluster: cluster(), clock, longLogBytes }).shortenLog();
  const before = oldest();
  await shorten(2 ** 30);
  expect(oldest()).toBe(before);
  await shorten(2 ** 22);
  expect(oldest() > before).toBe(true);
});

test("on a full disk the oldest go, the newest stays, and the log says so", async () => {
  for (const pair of [-6, -7]) {
    await addPair(pair);
    clock.advance(60_000);
    await snapshots.take();
  }
  const full: Snapshots = {
    ...snapshots,
    take: () => Promise.reject(new AppError("STORAGE_FULL")),
    hasNews: async () => true,
  };
  const schedule = startSnapshotSchedule({
    snapshots: full,
    dataDir: folder.path,
    clock,
    log,
    freeBytes: async () => 1_000_000,
  });
  const [newest] = await listSnapshots(folder.path, clock.now());
  clock.advance(20 * 60_000);
  await schedule.look();
  schedule.stop();
  expect((await listSnapshots(folder.path, clock.now())).map(({ name }) => name)).toEqual([
    newest?.name ?? "",
  ]);
  const texts = log.entries.filter(({ level }) => level === "warn").map(({ message }) => message);
  expect(texts).toContain("a snapshot of the database was removed: the disk is nearly full");
  expect(texts).toContain("no snapshot of the database was made: the disk is nearly full");
});

test("a database that is closed waits for no snapshot, and half of one is left nowhere", async () => {
  const made = failureOf(snapshots.take());
  await handle.close();
  expect(await made).toBeInstanceOf(Error);
  expect(readdirSync(join(folder.path, "snapshots")).filter((name) => name.endsWith(".part"))).toEqual([]);
  await reopen();
  await handle.check();
});
