import type { Cron } from "croner";
import { type FeatureSettings, valuesOfFeature } from "#contract/feature-settings.ts";
import type { Contract } from "#contract/operation.ts";
import type { BeforeHooks, Context } from "./context.ts";
import { describeError } from "./describe-error.ts";
import type { AnyRuns, Runs } from "./implement.ts";
import type { PersonalData } from "./personal-data.ts";

/** What runs of a feature: the functions behind its operations, and whatever else the server calls. */
export type FeatureServer<C extends Contract> = AnyParts & { operations: Runs<C> };

/** One whose types are forgotten. */
export type AnyFeatureServer = AnyParts & { operations: AnyRuns };

/**
 * Work of one server at a time: every `everyMs` milliseconds, at least a minute apart, or at the times of a `cron` expression with five
 * fields, such as `0 7 * * 1` for Mondays at 7, in `timeZone` (`Europe/Berlin`; UTC unless given). Times that
 * passed while no server ran are made up for by one run.
 */
export type FeatureJob = { run: (ctx: Context) => Promise<void> } & (
  | { everyMs: number; cron?: never; timeZone?: never }
  | { cron: string; timeZone?: string; everyMs?: never }
);

type AnyParts = {
  /** What it holds of users; `none` says that a table that refers to users holds nothing about them. */
  personal?: PersonalData | "none";
  before?: Partial<BeforeHooks>;
  jobs?: { readonly [name: string]: FeatureJob };
};

/** Ties the functions of a feature to its contract. One that is missing, or of another type, doesn't compile. */
export const defineServer = <const C extends Contract>(
  _contract: C,
  server: FeatureServer<C>,
): FeatureServer<C> => server;

/** The values of a feature's settings now, at most a second behind other servers; a secret that isn't set is `null`. */
export const settingsOf = <V extends object>(
  { settings }: Pick<Context, "settings">,
  section: FeatureSettings<V>,
): V => valuesOfFeature(section, settings.current.features);

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
