import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { factAt, fillActivity, operatorOf, randomFacts } from "#api/testing/fill-activity.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createRandom } from "#api/testing/random.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { stayProven } from "#api/testing/stay-proven.ts";
import { activityTexts } from "#contract/activity.ts";
import { cleanUpActivity } from "./retention.ts";
import { verifyActivity } from "./verify-activity.ts";

const path = "/api/admin/activity/cleanup";
const dayMs = 24 * 3_600_000;

const host = await hostForFile({ hasher: createCheapHasher() });
let admin = await host.signedIn("admin");
await stayProven(host, admin);

/** Lets 100 days go by with so many activities, evenly. Nobody's session lasts that long. */
const fill = async (count: number) => {
  host.clock.advance(100 * dayMs);
  await fillActivity(
    host.services,
    randomFacts(createRandom(count), { count, end: host.clock.now(), spanMs: 99 * dayMs }),
  );
  admin = await host.signedIn("admin");
  await stayProven(host, admin);
};
const cleanUp = async (query = "") => {
  const answer = await admin.call("DELETE", `${path}${query}`);
  expect(answer.status).toBe(200);
  return answer.json();
};
const rows = async () => {
  await host.services.activity.settle();
  return host.db.execute<{ id: number; at: string; action: string; changes: string | null }>(
    sql`select id::int, occurred_at as at, action, changes from activities order by id`,
  );
};
const older = async (days: number) => {
  const cutoff = host.clock.now().getTime() - days * dayMs;
  return (await rows()).filter(({ at }) => Date.parse(at) < cutoff);
};
const newestRecord = async () => {
  const record = (await rows()).findLast(({ action }) => action === "Cleaned up the activity log");
  return { id: record?.id ?? 0, after: JSON.parse(record?.changes ?? "null")?.after };
};
/** What the proof says of the whole log. */
const proof = () => verifyActivity(operatorOf(host.services), { after: 0, limit: 20_000 });

describe("a clean-up of the activity log", () => {
  test("removes what is older than the days, no more, and says how many", async () => {
    await fill(600);
    const [old, all] = [await older(60), await rows()];
    expect(old.length).toBeGreaterThan(100);
    const plan = await (await admin.call("POST", "/api/plan/activity.cleanup", { days: 60 })).json();
    expect(plan.data.summary).toBe(
      `Would permanently remove ${old.length} activities that are older than 60 days`,
    );
    expect(await rows()).toEqual(all);
    expect(await cleanUp("?days=60")).toEqual({
      success: true,
      message: `Successfully cleaned up ${old.length} old activity records.`,
      deletedCount: old.length,
    });
    const left = await rows();
    expect(left.slice(0, all.length - old.length)).toEqual(all.slice(old.length));
    expect(await older(60)).toEqual([]);
  });

  test("takes 90 days unless told otherwise", async () => {
    await fill(100);
    const old = await older(90);
    expect(old.length).toBeGreaterThan(0);
    expect((await cleanUp()).deletedCount).toBe(old.length);
  });

  test("L3: is recorded before anything is removed, and its row stays whatever the age", async () => {
    await fill(50);
    const old = await older(2);
    const head = (await rows()).at(-1)?.id ?? 0;
    const { deletedCount } = await cleanUp("?days=2");
    const record = await newestRecord();
    expect(record.id).toBeGreaterThan(head);
    expect(record.after).toEqual({
      olderThanDays: 2,
      through: old.at(-1)?.id,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(deletedCount).toBe(old.length);
    await cleanUp("?days=1");
    expect((await rows()).map(({ id }) => id)).toContain(record.id);
  });

  test("L3: with nothing to remove is recorded all the same", async () => {
    const before = (await rows()).length;
    expect(await cleanUp("?days=3650")).toMatchObject({
      deletedCount: 0,
      message: activityTexts.cleanedUp(0),
    });
    expect(await rows()).toHaveLength(before + 1);
    expect((await newestRecord()).after).toMatchObject({ olderThanDays: 3650 });
  });

  test("L3: leaves a chain that verifies, and counts that are exact", async () => {
    await fill(500);
    for (const days of [80, 30, 7]) {
      await cleanUp(`?days=${days}`);
      expect(await proof()).toMatchObject({ isComplete: true, fault: null });
    }
    const { anchor, head, checked } = await proof();
    expect(anchor.id).toBeGreaterThan(0);
    expect(checked).toBe(head.id - anchor.id);
    const days = await host.db.execute(sql`select from activity_days where rows <= 0`);
    expect(days).toHaveLength(0);
  });

  test("of more than a batch is completed, and two at the same time remove each row once", async () => {
    await fill(5_000);
    const old = await older(20);
    const answers = await Promise.all([cleanUp("?days=20"), cleanUp("?days=20"), cleanUp("?days=20")]);
    expect(answers.reduce((sum, { deletedCount }) => sum + deletedCount, 0)).toBe(old.length);
    expect(await older(20)).toEqual([]);
    expect(await proof()).toMatchObject({ fault: null });
  });

  test("that was interrupted is simply run again", async () => {
    await fill(5_000);
    const old = await older(10);
    const interrupted = brokenAfter(2);
    expect(await failureOf(cleanUpActivity(interrupted, { days: 10 }))).toMatchObject({
      message: "the power went out",
    });
    const left = (await older(10)).length;
    expect(left).toBeLessThan(old.length);
    expect(left).toBeGreaterThan(0);
    expect(await proof()).toMatchObject({ fault: null });
    expect((await cleanUp("?days=10")).deletedCount).toBe(left);
    expect(await proof()).toMatchObject({ fault: null });
  });

  test("L3: removes nothing while the row about it cannot be written", async () => {
    await fill(50);
    const before = await rows();
    const ctx = operatorOf(host.services);
    const stuck = { ...ctx, activity: { ...ctx.activity, settle: async () => {} } };
    const failure = await failureOf(cleanUpActivity(stuck, { days: 5 }));
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: "BUSY" });
    expect((await rows()).slice(0, before.length)).toEqual(before);
  });

  test.each([
    "0",
    "-1",
    "1e9",
    "1000000000",
    "3651",
    "NaN",
    "90;x",
    "0x10",
    "",
    "1.5",
    "%2090",
    "90&days=1",
    "null",
    "٩",
  ])("L3: of days=%s is refused and changes nothing", async (days) => {
    await host.services.activity.settle();
    const before = await contentsOf(host.db);
    const answer = await admin.call("DELETE", `${path}?days=${days}`);
    expect(answer.status).toBe(422);
    await readRefusal(answer);
    await host.services.activity.settle();
    expect(withoutNotes(await contentsOf(host.db))).toEqual(withoutNotes(before));
  });

  test("keeps an activity of the very moment of its cutoff", async () => {
    host.clock.advance(2 * dayMs);
    const now = host.clock.now().getTime();
    await fillActivity(host.services, [
      factAt(new Date(now - dayMs - 1), { action: "a moment too old" }),
      factAt(new Date(now - dayMs), { action: "just young enough" }),
    ]);
    await cleanUp("?days=1");
    const actions = (await rows()).map(({ action }) => action);
    expect(actions).not.toContain("a moment too old");
    expect(actions).toContain("just young enough");
  });
});

// Refusals are recorded in the log.
const withoutNotes = (contents: string[]) => contents.filter((row) => !/^activit/.test(row));

/** A context of the operator whose database breaks in the midst of the transactions behind so many. */
const brokenAfter = (transactions: number) => {
  const ctx = operatorOf(host.services);
  let left = transactions;
  const db = new Proxy(ctx.db, {
    get: (target, name) => {
      if (name === "transaction" && left-- <= 0) return () => Promise.reject(new Error("the power went out"));
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...ctx, db };
};
