import { afterEach, beforeEach, expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import type { BackupEntry, BackupOrder, BackupRun, BackupService } from "#api/core/backups.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { createIdleBackups } from "#api/testing/idle-backups.ts";
import { until } from "#api/testing/until.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { createBackupWorker } from "./backup-worker.ts";
import { findBackupDue, readBackupHealth, setSchedule } from "./change-backups.ts";
import { nextTurn } from "./schedule.ts";
import { findScheduled, findTurn, forgetBackupRuns, noteScheduled, writeLastBackup } from "./store.ts";

let database: TestDatabase;
let ctx: TestContext;
let orders: BackupOrder[];
let entries: BackupEntry[];
let isFailing: boolean;
let backups: BackupService;

beforeEach(async () => {
  database = await openTestDatabase();
  ctx = testContext({ db: database.db, actor: { kind: "operator" } });
  orders = [];
  entries = [];
  isFailing = false;
  backups = {
    ...createIdleBackups(),
    make: async (run, order) => {
      orders.push(order);
      if (isFailing) return { ...run, state: "failed" };
      const name = `scheduled-${orders.length}`;
      entries.unshift({
        name,
        place: "folder",
        sizeBytes: 1,
        createdAt: ctx.clock.now(),
        isEncrypted: false,
      });
      await noteScheduled(database.db, name);
      return { ...run, state: "done" };
    },
    list: async () => ({ backups: [...entries], storageFault: null }),
    remove: async (_place, name) => {
      entries = entries.filter((entry) => entry.name !== name);
      return true;
    },
  };
});
afterEach(() => database.close());

const worker = () => createBackupWorker({ ...ctx, backups }, (name) => name.startsWith("scheduled"));
const hourMs = 60 * 60 * 1000;

test("of two servers one makes each backup that is due, and what is no longer kept goes", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { hours: 6 }, keepLast: 2, recipients: [] });
  entries.push({
    name: "by-hand",
    place: "folder",
    sizeBytes: 1,
    createdAt: new Date(0),
    isEncrypted: false,
  });
  const [first, second] = [worker(), worker()];
  await Promise.all([first.look(), second.look()]);
  expect(orders).toEqual([]);
  for (let turn = 1; turn <= 3; turn += 1) {
    ctx.clock.advance(6 * hourMs);
    await Promise.all([first.look(), second.look()]);
    expect(orders).toHaveLength(turn);
  }
  expect(orders[0]).toEqual({ place: "folder", recipients: [], isScheduled: true, isWithKey: false });
  expect(entries.map(({ name }) => name)).toEqual(["scheduled-3", "scheduled-2", "by-hand"]);
});

test("one that failed is tried again a quarter of an hour later, three times", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { hours: 24 } });
  isFailing = true;
  const one = worker();
  ctx.clock.advance(24 * hourMs);
  for (let tries = 0; tries < 12; tries += 1) {
    await one.look();
    ctx.clock.advance(hourMs / 8);
  }
  expect(orders).toHaveLength(4);
});

test("one that could not even begin is tried again as well", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { hours: 24 } });
  let isBusy = true;
  const { claim } = backups;
  backups.claim = (tx, order) =>
    isBusy ? Promise.reject(new AppError("CONFLICT", backupTexts.underWay)) : claim(tx, order);
  const one = worker();
  ctx.clock.advance(24 * hourMs);
  await one.look();
  expect(ctx.logged).toContainEqual(
    expect.objectContaining({ level: "warn", message: "the schedule of backups could not be followed" }),
  );
  isBusy = false;
  await one.look();
  expect(orders).toEqual([]);
  ctx.clock.advance(hourMs / 4);
  await one.look();
  expect(orders).toHaveLength(1);
});

test("an orderly stop does not wait for one, which is begun again after the next start, once", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { hours: 24 } });
  const stopped = Promise.withResolvers<void>();
  let last: BackupRun | null = null;
  backups.make = async (run, order) => {
    orders.push(order);
    await stopped.promise;
    last = { ...run, isScheduled: true, state: "failed", error: new AppError("SHUTTING_DOWN").message };
    return last;
  };
  backups.run = async () => last;
  backups.stop = async () => stopped.resolve();
  const one = worker();
  ctx.clock.advance(24 * hourMs);
  const looking = one.look();
  await until(() => orders.length === 1);
  await one.stop();
  await looking;
  const next = worker();
  ctx.clock.advance(1_000);
  await next.look();
  expect(orders).toHaveLength(2);
  const at = ctx.clock.now().toISOString();
  await writeLastBackup(database.db, { at, name: "x", place: "folder", sizeBytes: 1 });
  await worker().look();
  expect(orders).toHaveLength(2);
});

test("a schedule that came with a restored database continues, counted from the first look", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { hours: 6 } });
  await forgetBackupRuns(database.db);
  const one = worker();
  ctx.clock.advance(100 * hourMs);
  await one.look();
  expect(orders).toEqual([]);
  expect(await findBackupDue(database.db, ctx.clock.now())).toEqual(
    new Date(ctx.clock.now().getTime() + 6 * hourMs),
  );
  ctx.clock.advance(6 * hourMs);
  await one.look();
  expect(orders).toHaveLength(1);
});

test("a backup is due as counted from the last whole one or from the setting, never from tries that failed", async () => {
  expect(await findBackupDue(database.db, ctx.clock.now())).toBeNull();
  await setSchedule(ctx, { isEnabled: true, every: { hours: 24 } });
  const first = new Date(ctx.clock.now().getTime() + 24 * hourMs);
  expect(await findBackupDue(database.db, ctx.clock.now())).toEqual(first);
  isFailing = true;
  const one = worker();
  for (let day = 0; day < 3; day += 1) {
    ctx.clock.advance(24 * hourMs);
    await one.look();
  }
  expect(orders).toHaveLength(3);
  expect(await findBackupDue(database.db, ctx.clock.now())).toEqual(first);
  const last = { at: ctx.clock.now().toISOString(), name: "x", place: "folder", sizeBytes: 1 };
  await writeLastBackup(database.db, last);
  expect(await findBackupDue(database.db, ctx.clock.now())).toEqual(
    new Date(ctx.clock.now().getTime() + 24 * hourMs),
  );
  await setSchedule(ctx, { isEnabled: false });
  expect(await findBackupDue(database.db, ctx.clock.now())).toBeNull();
});

test("one that looks a little late each time does not put the turns off, and one that missed several makes one", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { hours: 6 } });
  const begun = ctx.clock.now().getTime();
  const one = worker();
  for (let turn = 1; turn <= 3; turn += 1) {
    ctx.clock.advance(6 * hourMs + 50_000);
    await one.look();
    expect([orders.length, await findTurn(database.db)]).toEqual([turn, new Date(begun + turn * 6 * hourMs)]);
  }
  ctx.clock.advance(20 * hourMs);
  await one.look();
  await one.look();
  expect([orders.length, await findTurn(database.db)]).toEqual([4, ctx.clock.now()]);
});

test("a clock that was ahead puts nothing off: all is counted from when it was set right", async () => {
  const years = 4 * 365 * 24 * hourMs;
  ctx.clock.turn(years);
  await setSchedule(ctx, { isEnabled: true, every: { hours: 6 }, keepLast: 2 });
  const one = worker();
  const ahead = { at: ctx.clock.now().toISOString(), name: "x", place: "folder", sizeBytes: 1 };
  await writeLastBackup(database.db, ahead);
  ctx.clock.turn(-years);
  const due = new Date(ctx.clock.now().getTime() + 6 * hourMs);
  const told = async () => {
    const health = await readBackupHealth({ ...ctx, backups });
    return [await findBackupDue(database.db, ctx.clock.now()), new Date(health.nextAt ?? 0)];
  };
  // Before the worker has looked, and after it.
  expect(await told()).toEqual([due, due]);
  await Promise.all([one.look(), worker().look()]);
  expect(ctx.logged.filter(({ message }) => message.startsWith("the clock was ahead"))).toHaveLength(1);
  ctx.clock.advance(hourMs);
  expect([orders.length, ...(await told())]).toEqual([0, due, due]);
  ctx.clock.advance(5 * hourMs);
  isFailing = true;
  await one.look();
  isFailing = false;
  ctx.clock.advance(16 * 60_000);
  await one.look();
  // What failed is tried again although the last whole one seems to be of later.
  expect(orders).toHaveLength(2);
});

test("a server whose clock is seconds behind another's takes no turn twice", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { dailyAt: "03:00" } });
  ctx.clock.advance(
    nextTurn({ every: { dailyAt: "03:00" } }, ctx.clock.now()).getTime() - ctx.clock.now().getTime(),
  );
  const [one, other] = [worker(), worker()];
  await one.look();
  ctx.clock.turn(-20_000);
  await other.look();
  ctx.clock.advance(60_000);
  await other.look();
  expect(orders).toHaveLength(1);
});

test("after a restore nothing is removed that was made before it, nor what another makes beside it in the same bucket", async () => {
  await setSchedule(ctx, { isEnabled: true, every: { hours: 6 }, keepLast: 1 });
  const one = worker();
  const turn = async (): Promise<void> => {
    ctx.clock.advance(6 * hourMs);
    await one.look();
  };
  await turn();
  await forgetBackupRuns(database.db);
  await one.look();
  const others = { place: "folder" as const, sizeBytes: 1, createdAt: ctx.clock.now(), isEncrypted: false };
  entries.unshift({ ...others, name: "scheduled-elsewhere" });
  await turn();
  await turn();
  expect(entries.map(({ name }) => name)).toEqual(["scheduled-3", "scheduled-elsewhere", "scheduled-1"]);
  expect([...(await findScheduled(database.db))]).toEqual(["scheduled-3"]);
});
