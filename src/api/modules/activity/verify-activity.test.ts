import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Context } from "#api/core/context.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { createRandom } from "#api/testing/random.ts";
import { forgedRow, tamperInVain } from "#api/testing/tampered-log.ts";
import { verifyActivity } from "./verify-activity.ts";

const rows = 40;
const dayMs = 24 * 3_600_000;

const database = await databaseForFile();
const ctx = testContext({ db: database.db, actor: { kind: "operator" } });
const start = ctx.clock.now().getTime();
ctx.clock.advance(rows * dayMs);
const end = new Date(start + rows * dayMs);
await fillActivity(ctx, randomFacts(createRandom(3), { count: rows, end, spanMs: rows * dayMs }));

const verify = (input: { after?: number; limit?: number } = {}, by: Context = ctx) =>
  verifyActivity(by, { after: 0, limit: 20_000, ...input });

describe("the proof of the activity log", () => {
  test("of an untouched log finds nothing, and says how far it went", async () => {
    const answer = await verify();
    expect(answer).toMatchObject({ checked: rows, through: rows, isComplete: true, fault: null });
    expect(answer.head).toEqual({ id: rows, hash: answer.throughHash });
    expect(answer.anchor).toEqual({ id: 0, hash: "0".repeat(64) });
  });

  test("goes slice by slice, each from where the one before ended", async () => {
    const seen: number[] = [];
    for (let after = 0; ; ) {
      const { checked, through, isComplete, fault } = await verify({ after, limit: 7 });
      expect(fault).toBeNull();
      expect(through - after).toBe(checked);
      seen.push(checked);
      after = through;
      if (isComplete) break;
    }
    expect(seen).toEqual([7, 7, 7, 7, 7, 5]);
    expect(await verify({ after: rows })).toMatchObject({
      checked: 0,
      through: rows,
      isComplete: true,
      fault: null,
    });
    expect(await verify({ after: 999_999 })).toMatchObject({ checked: 0, through: rows, isComplete: true });
  });

  test("of an empty log is complete", async () => {
    const fresh = await openTestDatabase();
    const answer = await verifyActivity(
      { ...testContext({ db: fresh.db }), actor: { kind: "operator" } },
      { after: 0, limit: 1 },
    );
    await fresh.close();
    expect(answer).toMatchObject({ checked: 0, through: 0, isComplete: true, fault: null });
  });

  test("is for admins and the operator", async () => {
    expect(await failureOf(verify({}, ctx.as({ kind: "visitor" })))).toMatchObject({ kind: "NOT_SIGNED_IN" });
  });
});

describe("L3: the proof finds", () => {
  test.each([
    ["action", sql`'Something else'`],
    ["description", sql`description || '.'`],
    ["occurred_at", sql`occurred_at + interval '1 microsecond'`],
    ["user_email", sql`'eve@example.test'`],
    ["user_id", sql`gen_random_uuid()`],
    ["ip", sql`'198.51.100.1'`],
    ["user_agent", sql`'Another browser'`],
    ["request_id", sql`'another'`],
    ["duration_ms", sql`coalesce(duration_ms, 0) + 1`],
    ["occurrences", sql`occurrences + 1`],
    ["changes", sql`'{"before":1,"after":2}'`],
    ["hash", sql`sha256('x')`],
  ])("a changed %s", (column, value) =>
    tamperInVain(ctx, async ({ tamper, verify: check }) => {
      await tamper(sql`update activities set ${sql.identifier(column)} = ${value} where id = 17`);
      expect(await check()).toMatchObject({
        checked: 16,
        through: 16,
        isComplete: false,
        fault: {
          id: 17,
          problem: "Activity 17 was altered, or does not follow from the one before it",
        },
      });
    }),
  );

  test("a changed row whose hash was recomputed, at the row after it", () =>
    tamperInVain(ctx, async ({ tamper, rehash, faultOf }) => {
      await tamper(sql`update activities set action = 'Something else' where id = 17`);
      await rehash(17, 17);
      expect((await faultOf())?.id).toBe(18);
    }));

  test("two rows that changed places", () =>
    tamperInVain(ctx, async ({ tamper, faultOf }) => {
      await tamper(
        sql`update activities set id = 1000 where id = 20`,
        sql`update activities set id = 20 where id = 21`,
        sql`update activities set id = 21 where id = 1000`,
      );
      expect((await faultOf())?.id).toBe(20);
    }));

  test("a row that is gone from the midst, in whichever slice it would be", () =>
    tamperInVain(ctx, async ({ tamper, verify: check }) => {
      await tamper(sql`delete from activities where id = 20`);
      const fault = { id: 20, problem: "Activity 20 is missing" };
      expect((await check()).fault).toEqual(fault);
      expect((await check({ after: 20, limit: 5 })).fault).toEqual(fault);
      expect((await check({ after: 21, limit: 5 })).fault).toBeNull();
    }));

  test("a row that was put into the midst in the place of another", () =>
    tamperInVain(ctx, async ({ tamper, rehash, faultOf }) => {
      await tamper(sql`delete from activities where id = 20`, forgedRow(20, 19));
      expect((await faultOf())?.id).toBe(20);
      await rehash(20, 20);
      expect((await faultOf())?.id).toBe(21);
    }));

  test("kinds whose names were changed, and kinds that are gone", async () => {
    const [kind] = await ctx.db.execute<{ id: number; first: number }>(
      sql`select kind_id as id, min(id)::int as first from activities group by kind_id order by min(id) desc limit 1`,
    );
    const [id, first] = [kind?.id ?? 0, kind?.first ?? 0];
    await tamperInVain(ctx, async ({ tamper, faultOf }) => {
      for (const column of ["plugin_name", "type", "status", "severity", "actor_kind"]) {
        const name = sql.identifier(column);
        await tamper(sql`update activity_kinds set ${name} = ${name} || '_' where id = ${id}`);
        expect((await faultOf())?.id).toBe(first);
        await tamper(sql`update activity_kinds set ${name} = rtrim(${name}, '_') where id = ${id}`);
        expect(await faultOf()).toBeNull();
      }
      await tamper(sql`delete from activity_kinds where id = ${id}`);
      expect(await faultOf()).toEqual({ id: first, problem: `The kind of activity ${first} is unknown` });
    });
  });
});
