import { expect, test } from "bun:test";
import type { Database } from "#api/core/database.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { factAt, fillActivity } from "#api/testing/fill-activity.ts";
import { readFilter } from "./filter.ts";
import { readLog, selectByFilter } from "./selection-store.ts";

const minutesAgo = (minutes: number) => new Date(ctx.clock.now().getTime() - minutes * 60_000);
const database = await databaseForFile();
const ctx = testContext({ db: database.db });
await fillActivity(ctx, [factAt(minutesAgo(9)), factAt(minutesAgo(8), { status: "failure" })]);

/** The database, with something that happens before its `turn`th statement, counted from 1. */
const disturbed = (turn: number, disturb: () => Promise<void>): Database => {
  let turns = 0;
  return new Proxy(database.db, {
    get: (db, name) => {
      if (name !== "execute") return Reflect.get(db, name);
      return async (...query: Parameters<Database["execute"]>) => {
        turns += 1;
        if (turns === turn) await disturb();
        return db.execute(...query);
      };
    },
  });
};

test.each(["brand-new", "newer-still"])(
  "rows of a kind that comes up between two statements are counted where they are in the range: %s",
  async (pluginName) => {
    const before = await readLog(database.db);
    const db = disturbed(2, () => fillActivity(ctx, [factAt(minutesAgo(1), { pluginName })]));
    const selection = await selectByFilter(db, readFilter({ startDate: minutesAgo(60).toISOString() }));
    expect(selection.through).toBe(before.headId + 1);
    expect(selection.isWhole).toBe(true);
    expect(selection.kinds.map(({ kind }) => kind.pluginName)).toContain(pluginName);
  },
);

test("what is counted is not read again while the log stands still, and is when it has grown", async () => {
  const first = await readLog(database.db);
  expect(await readLog(database.db)).toBe(first);
  await fillActivity(ctx, [factAt(ctx.clock.now())]);
  const second = await readLog(database.db);
  expect(second.headId).toBe(first.headId + 1);
  expect(second.kinds).toBe(first.kinds);
  const rows = (log: typeof first) =>
    [...log.kindCounts.values()].reduce((sum, count) => sum + count.rows, 0);
  expect(rows(second)).toBe(rows(first) + 1);
});
