import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Context } from "#api/core/context.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { createRandom } from "#api/testing/random.ts";
import { until } from "#api/testing/until.ts";
import { createRetentionWorker, setRetention } from "./retention.ts";
import { verifyActivity } from "./verify-activity.ts";

let database: TestDatabase;
let ctx: ReturnType<typeof testContext>;
beforeEach(async () => {
  database = await openTestDatabase();
  ctx = testContext({ db: database.db, actor: { kind: "operator" } });
});
afterEach(() => database.close());

const dayMs = 24 * 3_600_000;
const count = 300;

/** Lets 100 days go by with activities, evenly. */
const fill = async (rows = count) => {
  ctx.clock.advance(100 * dayMs);
  const end = ctx.clock.now();
  await fillActivity(ctx, randomFacts(createRandom(5), { count: rows, end, spanMs: 99 * dayMs }));
};
/** As another replica has it: only the database and the clock are shared. */
const createReplica = (services: Context = ctx) => createRetentionWorker(services);
const rows = async () => {
  await ctx.activity.settle();
  return ctx.db.execute<{ at: string; action: string; actorKind: string }>(sql`
    select occurred_at as at, action, actor_kind as "actorKind" from activities
    join activity_kinds on activity_kinds.id = kind_id order by activities.id`);
};
const older = async (days: number) => {
  const cutoff = ctx.clock.now().getTime() - days * dayMs;
  return (await rows()).filter(({ at }) => Date.parse(at) < cutoff).length;
};
const cleanUps = async () => (await rows()).filter(({ action }) => action === "Cleaned up the activity log");

describe("the retention worker", () => {
  test("removes nothing while everything is to be kept", async () => {
    await fill();
    await createReplica().look();
    expect(await rows()).toHaveLength(count);
  });

  test("removes what is older than the setting says, and records that as Atrium's own doing", async () => {
    await fill();
    await setRetention(ctx, { days: 40 });
    await createReplica().look();
    expect(await older(40)).toBe(0);
    expect(await older(35)).toBeGreaterThan(0);
    expect((await cleanUps()).map(({ actorKind }) => actorKind)).toEqual(["system"]);
    expect(await verifyActivity(ctx, { after: 0, limit: 20_000 })).toMatchObject({
      isComplete: true,
      fault: null,
    });
  });

  test("records nothing where there is nothing to remove", async () => {
    await fill();
    await setRetention(ctx, { days: 3_650 });
    await createReplica().look();
    expect(await cleanUps()).toEqual([]);
  });

  test("works once a day, however many replicas look every hour", async () => {
    await fill();
    await setRetention(ctx, { days: 40 });
    const replicas = [createReplica(), createReplica(), createReplica()];
    const looks: number[] = [];
    for (let hour = 0; hour < 72; hour += 1) {
      await Promise.all(replicas.map(({ look }) => look()));
      looks.push((await cleanUps()).length);
      ctx.clock.advance(3_600_000);
    }
    expect([looks[0], looks[23], looks[24], looks[47], looks[48], looks[71]]).toEqual([1, 1, 2, 2, 3, 3]);
  });

  test("that could not do its work tries again at the next look, and the log says why", async () => {
    await fill();
    await setRetention(ctx, { days: 40 });
    const stuck = { ...ctx, activity: { ...ctx.activity, settle: async () => {} } };
    const worker = createReplica(stuck);
    await worker.look();
    expect(ctx.logged).toContainEqual(
      expect.objectContaining({ level: "warn", message: "old activities could not be removed yet" }),
    );
    expect(await older(40)).toBeGreaterThan(0);
    await createReplica().look();
    expect(await older(40)).toBe(0);
  });

  test("ends behind the batch under way when it is stopped, and the rest goes the next time", async () => {
    await fill(2_600);
    await setRetention(ctx, { days: 1 });
    let batches = 0;
    const { db } = ctx;
    const slow = new Proxy(db, {
      get: (target, name) => {
        if (name === "transaction") batches += 1;
        // Behind the transaction of the record: the first batch.
        if (name === "transaction" && batches === 2) void worker.stop();
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const worker = createReplica({ ...ctx, db: slow });
    await worker.look();
    const left = await older(1);
    expect(left).toBeGreaterThan(300);
    expect(left).toBeLessThan(1_000);
    expect(await verifyActivity(ctx, { after: 0, limit: 20_000 })).toMatchObject({ fault: null });
    ctx.clock.advance(dayMs);
    await createReplica().look();
    expect(await older(1)).toBe(0);
  });

  test("works automatically once it is started", async () => {
    await fill();
    await setRetention(ctx, { days: 40 });
    const worker = createReplica();
    worker.start();
    await until(async () => (await older(40)) === 0);
    await worker.stop();
  });
});
