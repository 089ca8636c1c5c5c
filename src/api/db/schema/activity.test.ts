import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { factOf } from "#api/core/activity.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { createRandom } from "#api/testing/random.ts";
import { sqlStateOf } from "../errors.ts";

const database = await databaseForFile();
const ctx = testContext({ db: database.db });
const end = ctx.clock.now();
await fillActivity(ctx, randomFacts(createRandom(1), { count: 10, end, spanMs: 10_000 }));
// One that waits for its number.
const waiting = factOf(ctx, { type: "admin_action", action: "Waits" });
await ctx.db.transaction((tx) => ctx.activity.record(tx, waiting));

const insufficientPrivilege = "42501";

describe("L3: the database refuses, from the application itself, and changes nothing:", () => {
  test.each([
    "update activities set action = 'Nothing happened' where id = 5",
    "update activities set hash = '' where false",
    "insert into activities (id, kind_id, occurred_at, action, description, hash) values (5, 1, now(), '', '', '') on conflict (id) do update set action = 'x'",
    "delete from activities where id = 5",
    "delete from activities where id = 1",
    "delete from activities where id = 10",
    "delete from activities",
    "truncate activities",
    "update activity_inbox set fact = '{}'",
    "delete from activity_inbox",
    "truncate activity_inbox",
    "delete from activity_chain",
    "truncate activity_chain",
    "truncate activities, activity_chain, activity_inbox",
    "update activity_chain set head_id = 5, head_hash = (select hash from activities where id = 5)",
    "update activity_chain set anchor_id = 11",
    "update activity_chain set anchor_id = 5",
    "update activity_chain set anchor_id = 5, anchor_hash = (select hash from activities where id = 6)",
    "update activity_chain set anchor_id = -1",
    "update activity_chain set id = 2",
  ])("%s", async (statement) => {
    const before = await contentsOf(database.db);
    const failure = await failureOf(database.db.execute(sql.raw(statement)));
    expect(sqlStateOf(failure)).toBe(insufficientPrivilege);
    expect(await contentsOf(database.db)).toEqual(before);
  });
});

test("L3: what stands behind the log's beginning cannot be removed, even by who moves that beginning", async () => {
  const work = database.db.transaction(async (tx) => {
    await tx.execute(
      sql`update activity_chain set anchor_id = 5, anchor_hash = (select hash from activities where id = 5)`,
    );
    await tx.execute(sql`delete from activities where id <= 6`);
  });
  expect(sqlStateOf(await failureOf(work))).toBe(insufficientPrivilege);
});

test("the first number of a moment is found wherever it is, and one more than the newest behind all", async () => {
  const rows = await database.db.execute<{ id: number; at: string }>(
    sql`select id::int, occurred_at as at from activities order by id`,
  );
  const firstAt = async (ms: number) => {
    const moment = new Date(ms).toISOString();
    const [found] = await database.db.execute<{ id: number }>(
      sql`select activity_first_at(${moment}::timestamptz)::int as id`,
    );
    return found?.id;
  };
  for (const { id, at } of rows) {
    expect(await firstAt(Date.parse(at))).toBe(id);
    expect(await firstAt(Date.parse(at) + 1)).toBe(id + 1);
  }
  expect(await firstAt(0)).toBe(1);
});
