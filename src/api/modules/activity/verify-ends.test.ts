import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { createRandom } from "#api/testing/random.ts";
import { endAt, forgedRow, tamperInVain } from "#api/testing/tampered-log.ts";
import { cleanUpActivity } from "./retention.ts";
import { verifyActivity } from "./verify-activity.ts";

const rows = 60;
const dayMs = 24 * 3_600_000;

const database = await databaseForFile();
const ctx = testContext({ db: database.db, actor: { kind: "operator" } });
ctx.clock.advance(rows * dayMs);
const end = ctx.clock.now();
await fillActivity(ctx, randomFacts(createRandom(3), { count: rows, end, spanMs: (rows - 1) * dayMs }));
await cleanUpActivity(ctx, { days: 40 });

const verify = () => verifyActivity(ctx, { after: 0, limit: 20_000 });
const answer = await verify();
const head = answer.head.id;
const anchor = answer.anchor.id;

describe("the proof of a log that was cleaned up", () => {
  test("L3: begins after what was removed, and continues to the end", async () => {
    expect(anchor).toBeGreaterThan(10);
    expect(await verify()).toMatchObject({ fault: null, isComplete: true, checked: head - anchor });
    expect(await verifyActivity(ctx, { after: 3, limit: 5 })).toMatchObject({
      fault: null,
      checked: 5,
      through: anchor + 5,
    });
  });
});

describe("L3: the proof finds", () => {
  test("rows that are gone from the end", () =>
    tamperInVain(ctx, async ({ tamper, faultOf }) => {
      await tamper(sql`delete from activities where id > 35`);
      expect(await faultOf()).toEqual({ id: 36, problem: "Activity 36 is missing" });
    }));

  test("rows that are gone from the end, with the end put back to what is left", () =>
    tamperInVain(ctx, async ({ tamper, faultOf }) => {
      await tamper(sql`delete from activities where id > 35`, endAt(35));
      expect(await faultOf()).toMatchObject(brokenSeal);
    }));

  test("a row that was added behind the end, even with the right hash, and when the end is moved to it", () =>
    tamperInVain(ctx, async ({ tamper, rehash, faultOf, verify: check }) => {
      await tamper(forgedRow(head + 1, head));
      const fault = {
        id: head + 1,
        problem: `Activity ${head + 1} is after the end of the log: it was not recorded by Atrium`,
      };
      expect(await faultOf()).toEqual(fault);
      expect((await check({ after: head, limit: 1 })).fault).toEqual(fault);
      await rehash(head + 1, head + 1);
      await tamper(endAt(head + 1));
      expect(await faultOf()).toMatchObject(brokenSeal);
    }));

  test("a chain that was recomputed from a changed row to the end, for lack of the key", () =>
    tamperInVain(ctx, async ({ tamper, rehash, reseal, faultOf }) => {
      await tamper(sql`update activities set action = 'Nothing happened' where id = 37`);
      await rehash(37, head);
      await tamper(endAt(head));
      expect(await faultOf()).toMatchObject(brokenSeal);
      await reseal({ secrets: createSecretBox(new Uint8Array(32).fill(8)) });
      expect(await faultOf()).toMatchObject(brokenSeal);
      // Nobody else can do this: the test for the test.
      await reseal();
      expect(await faultOf()).toBeNull();
    }));

  test("an end whose hash, seal or all is gone", () =>
    tamperInVain(ctx, async ({ tamper, faultOf, verify: check }) => {
      await tamper(sql`update activity_chain set head_hash = sha256('x')`);
      expect(await faultOf()).toEqual({
        id: head,
        problem: `Activity ${head} is not the one recorded as the end of the log`,
      });
      await tamper(endAt(head), sql`update activity_chain set seal = null`);
      expect(await faultOf()).toMatchObject(brokenSeal);
      await tamper(sql`delete from activity_chain`);
      expect(await check()).toMatchObject({
        isComplete: true,
        fault: { id: 0, problem: "The record of the log's beginning and end is missing" },
      });
    }));

  test("a beginning that was moved without a clean-up on record", () =>
    tamperInVain(ctx, async ({ tamper, reseal, faultOf }) => {
      await tamper(beginAt(anchor + 5), sql`delete from activities where id <= ${anchor + 5}`);
      expect(await faultOf()).toMatchObject(brokenSeal);
      await reseal();
      expect(await faultOf()).toEqual({
        id: anchor + 5,
        problem: `The activities up to ${anchor + 5} were removed, but no cleanup of them is recorded`,
      });
    }));

  test("a beginning that is not the row that the clean-up recorded", () =>
    tamperInVain(ctx, async ({ tamper, rehash, reseal, faultOf }) => {
      await tamper(sql`update activity_chain set anchor_hash = sha256('x')`);
      expect((await faultOf())?.id).toBe(anchor + 1);
      await rehash(anchor + 1, head);
      await tamper(endAt(head));
      await reseal();
      expect(await faultOf()).toEqual({
        id: anchor,
        problem: `Activity ${anchor}, the last one removed, is not the one that the cleanup recorded`,
      });
    }));

  test("rows that stand before the beginning", () =>
    tamperInVain(ctx, async ({ tamper, faultOf }) => {
      await tamper(forgedRow(anchor - 1, head));
      expect(await faultOf()).toEqual({
        id: anchor - 1,
        problem: `Activity ${anchor - 1} is before the beginning of the log`,
      });
    }));

  test.each<[string, SQL, string]>([
    ["a kind's count", sql`update activity_kinds set rows = rows + 1 where id = 1`, "add up"],
    ["a day's count", sql`update activity_days set rows = rows - 1`, "add up"],
    [
      "the newest row recorded for a kind",
      sql`update activity_kinds set last_id = last_id - 1 where rows > 0`,
      "newest activity of a kind",
    ],
    [
      "a count that was moved to another day",
      sql`update activity_days set day = day + 1000 where day = (select max(day) from activity_days)`,
      "on a day differs from its count",
    ],
  ])("%s that is wrong", (_, statement, problem) =>
    tamperInVain(ctx, async ({ tamper, faultOf }) => {
      await tamper(statement);
      expect((await faultOf())?.problem).toContain(problem);
    }),
  );
});

const brokenSeal = {
  problem: expect.stringContaining("The seal on the log's beginning and end is not from this installation"),
};

const beginAt = (id: number): SQL => sql`
  update activity_chain set anchor_id = ${id}, anchor_hash = (select hash from activities where id = ${id})`;
