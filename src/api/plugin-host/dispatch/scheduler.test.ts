import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { systemClock } from "#api/core/clock.ts";
import { pluginJobs } from "#api/db/schema.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { until } from "#api/testing/until.ts";
import { createScheduler, returnJob, type Scheduler, saveJob, takeJob } from "./scheduler.ts";

let ctx: TestContext;
let close: () => Promise<void>;
const schedulers: Scheduler[] = [];

beforeAll(async () => {
  const opened = await openTestDatabase();
  close = opened.close;
  ctx = testContext({ db: opened.db });
});
afterAll(async () => {
  for (const scheduler of schedulers) scheduler.stop();
  await close();
});

const server = (replica: string) => {
  const scheduler = createScheduler({ db: ctx.db, log: ctx.log, clock: systemClock, replica });
  schedulers.push(scheduler);
  return scheduler;
};
const rowOf = async (job: string) => {
  const [row] = await ctx.db.select().from(pluginJobs).where(eq(pluginJobs.job, job));
  return row;
};

describe("a scheduled job", () => {
  test("runs on one of two servers at each of its times, and never on both", async () => {
    let running = 0;
    let most = 0;
    const runs: number[] = [];
    const run = async () => {
      running += 1;
      most = Math.max(most, running);
      runs.push(performance.now());
      await Bun.sleep(50);
      running -= 1;
    };
    for (const name of ["one", "two"]) server(name).open("notes", [{ name: "shared", everyMs: 1_000, run }]);
    await until(() => runs.length >= 2);
    for (const scheduler of schedulers) scheduler.close("notes");
    expect(most).toBe(1);
    expect((runs[1] ?? 0) - (runs[0] ?? 0)).toBeGreaterThan(700);
    await until(async () => (await rowOf("shared"))?.leasedUntil === null);
  });

  test("that fails says why, and runs again", async () => {
    const run = async () => {
      throw new Error("out of ink");
    };
    const scheduler = server("three");
    scheduler.open("failing", [{ name: "print", everyMs: 1_000, run }]);
    await until(async () => (await rowOf("print"))?.lastError === "out of ink");
    scheduler.close("failing");
    expect((await rowOf("print"))?.nextRunAt.getTime()).toBeGreaterThan(Date.now());
  });

  test("keeps its schedule when its plugin restarts, and disappears when the plugin no longer has it", async () => {
    const now = new Date("2030-01-01T00:00:00Z");
    const later = new Date("2030-01-01T00:30:00Z");
    await saveJob(ctx.db, { plugin: "kept", job: "hourly", everyMs: 3_600_000, now });
    await saveJob(ctx.db, { plugin: "kept", job: "hourly", everyMs: 3_600_000, now: later });
    expect((await rowOf("hourly"))?.nextRunAt.toISOString()).toBe("2030-01-01T01:00:00.000Z");
    await saveJob(ctx.db, { plugin: "kept", job: "hourly", everyMs: 60_000, now: later });
    expect((await rowOf("hourly"))?.nextRunAt.toISOString()).toBe("2030-01-01T00:31:00.000Z");
    server("four").open("kept", []);
    await until(async () => (await rowOf("hourly")) === undefined);
  });

  test("of a server that died is taken over when its lease has run out", async () => {
    const key = { plugin: "lost", job: "lost" };
    const at = (time: string) => new Date(`2030-01-01T${time}Z`);
    await saveJob(ctx.db, { ...key, everyMs: 60_000, now: at("00:00:00") });
    const take = (replica: string, time: string) =>
      takeJob(ctx.db, { ...key, replica, leaseMs: 30_000, now: at(time) });
    expect(await take("a", "00:00:59")).toMatchObject({ isTaken: false });
    expect(await take("a", "00:01:00")).toEqual({ isTaken: true });
    expect(await take("b", "00:01:29")).toMatchObject({ isTaken: false });
    expect(await take("b", "00:01:30")).toEqual({ isTaken: true });
    // The dead one comes back: the job is no more its own to return.
    const back = { ...key, startedAt: at("00:01:00"), now: at("00:01:40"), everyMs: 60_000, error: null };
    await returnJob(ctx.db, { ...back, replica: "a" });
    expect((await rowOf("lost"))?.leasedBy).toBe("b");
    await returnJob(ctx.db, { ...back, replica: "b", now: at("00:04:10") });
    expect((await rowOf("lost"))?.nextRunAt.toISOString()).toBe("2030-01-01T00:05:00.000Z");
  });
});
