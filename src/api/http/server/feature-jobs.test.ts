import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { pluginJobs } from "#api/db/schema.ts";
import { saveJob } from "#api/plugin-host/dispatch/scheduler.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { until } from "#api/testing/until.ts";
import { startFeatureJobs } from "./serve.ts";

const host = await hostForFile();

const everyMs = 60_000;

test("a job that throws is logged with its feature, and runs again when it is due next", async () => {
  const { clock, db } = host;
  await saveJob(db, { plugin: "own/boats", job: "sail", everyMs, now: clock.now() });
  clock.advance(everyMs);
  const actors: string[] = [];
  const sail = async ({ actor }: { actor: { kind: string } }): Promise<void> => {
    actors.push(actor.kind);
    clock.advance(everyMs);
    if (actors.length === 1) throw new Error("no wind");
  };
  const server = { operations: {}, jobs: { sail: { everyMs, run: sail } } };
  const jobs = startFeatureJobs(host.services, [{ name: "boats", module: "boats", operations: [], server }]);
  await until(() => actors.length > 1);
  await jobs.stop();
  expect(actors.slice(0, 2)).toEqual(["operator", "operator"]);
  const failures = host.logs.filter(({ message }) => message === "a job of a feature failed");
  expect(failures.find(({ fields }) => fields?.feature === "boats")?.fields).toMatchObject({
    job: "sail",
    error: { message: "no wind" },
  });
  const [row] = await db.select().from(pluginJobs).where(eq(pluginJobs.plugin, "own/boats"));
  expect(row?.everyMs).toBe(everyMs);
});

test("a job that throws before it waits for anything is logged as well, and so is a promise that nothing waits for", async () => {
  const { clock, db, services, logs } = host;
  await saveJob(db, { plugin: "own/rafts", job: "sink", everyMs, now: clock.now() });
  clock.advance(everyMs);
  const run = () => {
    throw new Error("no raft");
  };
  const jobs = { sink: { everyMs, run } };
  const started = startFeatureJobs(services, [
    { name: "rafts", module: "rafts", operations: [], server: { operations: {}, jobs } },
  ]);
  // A real one would fail the test, too.
  process.emit("unhandledRejection", new Error("no oar"), Promise.resolve());
  const errors = () => logs.flatMap(({ fields }) => Object(fields?.error).message ?? []);
  await until(() => errors().includes("no raft"));
  await started.stop();
  expect(errors()).toContain("no oar");
});

test("a job with a cron expression is due at its times, in its time zone, and after another one at the new ones", async () => {
  const { clock, db } = host;
  const due = async (cron: string) => {
    const server = {
      operations: {},
      jobs: { wake: { cron, timeZone: "Europe/Berlin", run: async () => undefined } },
    };
    const jobs = startFeatureJobs(host.services, [
      { name: "cocks", module: "cocks", operations: [], server },
    ]);
    const rows = () => db.select().from(pluginJobs).where(eq(pluginJobs.plugin, "own/cocks"));
    await until(async () => (await rows()).some(({ job }) => job.includes(cron)));
    await jobs.stop();
    return rows();
  };
  clock.turn(Date.parse("2027-03-27T12:00:00Z") - clock.now().getTime());
  // Daylight saving time begins that night.
  expect(await due("0 7 * * *")).toMatchObject([{ nextRunAt: new Date("2027-03-28T05:00:00Z") }]);
  expect(await due("0 7 * * 1")).toMatchObject([{ nextRunAt: new Date("2027-03-29T05:00:00Z") }]);
});
