import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { factOf, noteActivity } from "#api/core/activity.ts";
import type { Context } from "#api/core/context.ts";
import type { AppEvent } from "#api/core/events.ts";
import { activityChain } from "#api/db/schema/activity.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { testContext, testSecrets } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { createActivityWriter } from "./activity-writer.ts";
import { isSealOf } from "./draft.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const startProcess = (more: { batchRows?: number } = {}) => {
  const told: AppEvent[] = [];
  const events = {
    publish: (event: AppEvent) => void told.push(event),
    subscribe: () => () => {},
    isConnected: true,
  };
  const log = createRecordingLog();
  const clock = createTestClock();
  const writer = createActivityWriter({ db: database.db, clock, log, box: testSecrets, events, ...more });
  const ctx: Context = { ...testContext({ db: database.db, clock }), activity: writer.recorder };
  return { writer, ctx, told, log, clock };
};

const rows = () =>
  database.db.execute<{ id: number; action: string; at: string; occurrences: number }>(
    sql`select id::int, action, occurred_at as at, occurrences from activities order by id`,
  );
const actions = async () => (await rows()).map(({ action }) => action);

const commit = (ctx: Context, action: string) =>
  ctx.db.transaction((tx) => ctx.activity.record(tx, factOf(ctx, { type: "admin_action", action })));

test("what was recorded and committed is numbered from 1 without gaps, and what was rolled back leaves none", async () => {
  const { ctx } = startProcess();
  await commit(ctx, "one");
  await ctx.db
    .transaction(async (tx) => {
      await ctx.activity.record(tx, factOf(ctx, { type: "admin_action", action: "never" }));
      throw new Error("rolled back");
    })
    .catch(() => {});
  await commit(ctx, "two");
  await ctx.activity.settle();
  expect((await rows()).map(({ id, action }) => [id, action])).toEqual([
    [1, "one"],
    [2, "two"],
  ]);
});

test("more than a batch is appended whole, in order, and counted exactly", async () => {
  const { ctx } = startProcess({ batchRows: 7 });
  for (let index = 0; index < 20; index += 1) await commit(ctx, `committed ${index}`);
  for (let index = 0; index < 20; index += 1)
    noteActivity(ctx, { type: "api_call", action: `recorded ${index}` });
  await ctx.activity.settle();
  expect(await actions()).toHaveLength(40);
  expect((await actions()).filter((action) => action.startsWith("committed"))).toEqual(
    Array.from({ length: 20 }, (_, index) => `committed ${index}`),
  );
  const kinds = await database.db.execute<{ type: string; rows: number }>(
    sql`select type, rows::int from activity_kinds order by type`,
  );
  expect(kinds.map(({ type, rows }) => [type, rows])).toEqual([
    ["admin_action", 20],
    ["api_call", 20],
  ]);
  const [days] = await database.db.execute<{ sum: number }>(sql`select sum(rows)::int from activity_days`);
  expect(days?.sum).toBe(40);
  const waiting = await database.db.execute(sql`select 1 from activity_inbox`);
  expect(waiting).toHaveLength(0);
});

test("several processes on one database take turns: every fact has one number, in one chain", async () => {
  const processes = Array.from({ length: 4 }, () => startProcess({ batchRows: 5 }));
  await Promise.all(
    processes.map(async ({ ctx }, index) => {
      for (let turn = 0; turn < 15; turn += 1) {
        await commit(ctx, `${index}/${turn}`);
        noteActivity(ctx, { type: "api_call", action: `note ${index}/${turn}`, pluginName: `p${turn % 3}` });
        await ctx.activity.settle();
      }
    }),
  );
  const stored = await rows();
  expect(stored.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  expect(new Set(stored.map(({ action }) => action)).size).toBe(120);
  const kinds = await database.db.execute<{ sum: number }>(sql`select sum(rows)::int from activity_kinds`);
  expect(kinds[0]?.sum).toBe(120);
});

test("settling appends what others committed, and announces the end of the log", async () => {
  const [one, two] = [startProcess(), startProcess()];
  await commit(one.ctx, "by one");
  await two.ctx.activity.settle();
  expect(await actions()).toEqual(["by one"]);
  expect(two.told).toEqual([{ type: "activity-recorded", through: 1 }]);
});

test("times never decrease with the numbers, even when a clock is set back", async () => {
  const { ctx, clock } = startProcess();
  await commit(ctx, "before");
  await ctx.activity.settle();
  clock.advance(-60_000);
  await commit(ctx, "after");
  await ctx.activity.settle();
  const [before, after] = await rows();
  expect(after?.at).toBe(before?.at ?? "");
});

test("the ends of the chain are sealed under the application's key", async () => {
  const { ctx } = startProcess();
  await commit(ctx, "sealed");
  await ctx.activity.settle();
  const [chain] = await ctx.db.select().from(activityChain);
  if (!chain?.seal) throw new Error("there is no seal");
  expect(isSealOf(testSecrets, chain.seal, chain)).toBe(true);
  expect(isSealOf(testSecrets, chain.seal, { ...chain, headId: 2 })).toBe(false);
  expect(isSealOf(testSecrets, chain.seal, { ...chain, anchorId: 1 })).toBe(false);
});

test(
  "a running writer automatically appends what was recorded, what was committed, and what a dead process " +
    "left",
  async () => {
    const dead = startProcess();
    await commit(dead.ctx, "left behind");
    const { writer, ctx } = startProcess();
    writer.start();
    await until(async () => (await actions()).length === 1);
    await commit(ctx, "committed");
    ctx.activity.wake();
    noteActivity(ctx, { type: "api_call", action: "noted" });
    await until(async () => (await actions()).length === 3);
    await writer.stop();
  },
);

test("an orderly stop loses nothing: repeats of the running minute are written too", async () => {
  const { writer, ctx } = startProcess();
  writer.start();
  await commit(ctx, "committed");
  for (let turn = 0; turn < 10; turn += 1) noteActivity(ctx, { type: "api_call", action: "noted" });
  await writer.stop();
  const stored = await rows();
  expect(stored.map(({ action, occurrences }) => [action, occurrences])).toEqual([
    ["committed", 1],
    ["noted", 1],
    ["noted", 9],
  ]);
});

test("a fact that cannot be read is appended as such, and holds up nothing", async () => {
  const { ctx } = startProcess();
  await commit(ctx, "before");
  await database.db.execute(sql`insert into activity_inbox (fact) values ('{}')`);
  await commit(ctx, "after");
  await ctx.activity.settle();
  expect(await actions()).toEqual(["before", "Found a record that cannot be read", "after"]);
});

test(
  "while rows can't be appended nothing is lost, the application log says so once, and reading still " +
    "works",
  async () => {
    const { ctx, log } = startProcess();
    await database.db.execute(sql`alter table activities rename to elsewhere`);
    await commit(ctx, "committed");
    noteActivity(ctx, { type: "api_call", action: "noted" });
    await ctx.activity.settle();
    expect(log.entries.map(({ message }) => message)).toEqual(["activities could not be recorded yet"]);
    await database.db.execute(sql`alter table elsewhere rename to activities`);
    await ctx.activity.settle();
    expect(await actions()).toEqual(["committed", "noted"]);
  },
);
