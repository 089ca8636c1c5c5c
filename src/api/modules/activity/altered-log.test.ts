import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { noteActivity } from "#api/core/activity.ts";
import { activityChain } from "#api/db/schema/activity.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { endAt, forgedRow } from "#api/testing/tampered-log.ts";
import { createActivityWriter } from "./activity-writer.ts";
import { listActivity } from "./read-activity.ts";
import { cleanUpActivity } from "./retention.ts";
import { verifyActivity } from "./verify-activity.ts";

let database: TestDatabase;
let ctx: TestContext;

beforeEach(async () => {
  database = await openTestDatabase();
  ctx = testContext({ db: database.db, actor: { kind: "operator" } });
  for (let turn = 0; turn < 10; turn += 1) await append(ctx);
});
afterEach(() => database.close());

let appended = 0;
const append = async (by: TestContext) => {
  appended += 1;
  noteActivity(by, { type: "api_call", action: `Action ${appended}` });
  await by.activity.settle();
};

/** Another process on the same database, which remembers nothing. */
const restarted = (): TestContext => {
  const again = testContext({ db: database.db, actor: { kind: "operator" } });
  const { clock, log } = { clock: ctx.clock, log: createRecordingLog() };
  const { recorder } = createActivityWriter({ ...again, clock, log, box: again.secrets });
  return { ...again, clock, activity: recorder };
};

const withoutTriggers = async (...statements: ReturnType<typeof sql>[]) => {
  await database.db.transaction(async (tx) => {
    for (const table of ["activities", "activity_chain", "activity_inbox"])
      await tx.execute(sql.raw(`alter table ${table} disable trigger user`));
    for (const statement of statements) await tx.execute(statement);
    for (const table of ["activities", "activity_chain", "activity_inbox"])
      await tx.execute(sql.raw(`alter table ${table} enable trigger user`));
  });
};

const faultOf = async () => (await verifyActivity(ctx, { after: 0, limit: 20_000 })).fault;

const attacks: [string, () => Promise<void>][] = [
  [
    "the newest rows cut off and the end moved back",
    () => withoutTriggers(sql`delete from activities where id > 7`, endAt(7)),
  ],
  [
    "a forged row behind the end, and the end moved to it",
    () =>
      database.db.transaction(async (tx) => {
        await tx.execute(forgedRow(11, 10));
        await tx.execute(endAt(11));
      }),
  ],
  [
    "a forged row behind the end alone",
    async () => {
      await database.db.execute(forgedRow(11, 10));
    },
  ],
  [
    "the beginning moved, and what stood before it removed",
    () =>
      database.db.transaction(async (tx) => {
        await tx.execute(
          sql`update activity_chain set anchor_id = 4, anchor_hash = (select hash from activities where id = 4)`,
        );
        await tx.execute(sql`delete from activities where id <= 4`);
      }),
  ],
  ["the seal taken away", () => withoutTriggers(sql`update activity_chain set seal = null`)],
];

describe("L3: going on with the log does not cover up", () => {
  for (const [what, attack] of attacks) {
    test(`${what}: it is recorded, and the proof says so from then on`, async () => {
      await attack();
      const next = restarted();
      await append(next);
      await append(next);
      const { activities } = await listActivity(next, { limit: 100, offset: 0, type: "signature_failed" });
      expect(activities).toHaveLength(1);
      expect(activities[0]).toMatchObject({
        action: "Found the activity log altered",
        status: "failure",
        severity: "critical",
        actorKind: "system",
      });
      expect(await faultOf()).not.toBeNull();
    });
  }

  test("an older end put back with its own seal, while a process remembers a newer one", async () => {
    const [before] = await ctx.db.select().from(activityChain);
    if (!before?.seal) throw new Error("there is no seal");
    await append(ctx);
    await withoutTriggers(
      sql`delete from activities where id > 10`,
      endAt(10),
      sql`update activity_chain set seal = decode(${before.seal.toHex()}, 'hex')`,
    );
    await append(ctx);
    expect((await faultOf())?.problem).toContain("activity 11 differed from the one that was recorded");
  });

  test("a note of it that was wiped away", async () => {
    await withoutTriggers(sql`update activity_chain set seal = null`);
    await append(restarted());
    await withoutTriggers(sql`update activity_chain set fault = null`);
    await append(restarted());
    expect((await faultOf())?.problem).toContain("The log was altered");
  });

  test("a clean-up that comes after it", async () => {
    await withoutTriggers(sql`delete from activities where id > 7`, endAt(7));
    const next = restarted();
    next.clock.advance(3 * 24 * 3_600_000);
    await cleanUpActivity(next, { days: 1 });
    expect((await faultOf())?.problem).toContain("The log was altered");
  });
});

test("L3: a fact that someone else put into the inbox is not trusted, and a removed one is noticed", async () => {
  await database.db.execute(
    sql`insert into activity_inbox (fact) values (convert_to('{"type":"x"}', 'UTF8'))`,
  );
  const erased = database.db.transaction(async (tx) => {
    await tx.execute(sql`update activity_chain set head_at = head_at`);
    await tx.execute(sql`delete from activity_inbox`);
  });
  expect(String((await erased.catch((error: Error) => error))?.cause)).toContain("cannot be changed");
  await append(ctx);
  const { activities } = await listActivity(ctx, { limit: 2, offset: 0 });
  expect(activities.map(({ action }) => action)).toContain("Found a record that cannot be read");
});

test("an untouched log continues silently across restarts", async () => {
  for (let turn = 0; turn < 3; turn += 1) await append(restarted());
  expect(await faultOf()).toBeNull();
});
