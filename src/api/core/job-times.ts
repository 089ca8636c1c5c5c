import type { Cron } from "croner";
import { describeError } from "./describe-error.ts";
import type { FeatureJob } from "./feature-server.ts";

/** What is wrong with when a job is to run; `null` when nothing is. */
export const jobComplaint = async (job: FeatureJob): Promise<string | null> => {
  if (job.cron === undefined)
    return job.everyMs >= leastEveryMs ? null : `everyMs is at least ${leastEveryMs}, a minute`;
  try {
    const cron = await cronOf(job);
    return cron.nextRun() === null ? `the cron expression "${job.cron}" names no time` : null;
  } catch (error) {
    return `the cron expression "${job.cron}" or its time zone is wrong: ${describeError(error).message}`;
  }
};

const leastEveryMs = 60_000;

// Loaded by products alone that have such a job.
const cronOf = async ({ cron = "", timeZone = "UTC" }: FeatureJob): Promise<Cron> => {
  const { Cron: Times } = await import("croner");
  return new Times(cron, { mode: "5-part", timezone: timeZone });
};

/** When a job runs, as the scheduler takes it. */
type JobTimes = { name: string; everyMs: number; nextAt?: (after: Date) => Date };

/** A job is known by its times, too, where these are no interval: other ones make another job, which is due at its own. */
export const timesOf = async (name: string, job: FeatureJob): Promise<JobTimes> => {
  if (job.cron === undefined) return { name, everyMs: job.everyMs };
  const cron = await cronOf(job);
  return {
    name: `${name} (${job.cron} ${job.timeZone ?? "UTC"})`,
    everyMs: 0,
    nextAt: (after) => cron.nextRun(after) ?? lastDay,
  };
};

// No expression that starts ends: the year 9999 is croner's last.
const lastDay = new Date("9999-12-31T00:00:00Z");
