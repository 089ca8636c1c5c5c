import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { pluginLimits } from "#contract/plugins.ts";
import { deleteOtherJobs, returnJob, saveJob, takeJob } from "./job-store.ts";

/** A job of a plugin that runs on this server. */
export type ScheduledJob = { name: string; everyMs: number; run(): Promise<void> };

/** Runs the jobs of plugins, each on one of the servers at a time. */
export type Scheduler = {
  /** Begins with a plugin's jobs, in the place of those it had. */
  open(plugin: string, jobs: readonly ScheduledJob[]): void;
  /** Runs none of them any more here; one that is under way goes on. */
  close(plugin: string): void;
  stop(): void;
};

export type SchedulerOptions = Pick<Services, "db" | "clock" | "log"> & { replica: string };

// A server that dies keeps its lease: longer than any run may take.
const leaseMs = pluginLimits.wallMs + 20_000;
const leastPauseMs = 250;
const mostPauseMs = 60_000;

/** Begins without jobs. */
export const createScheduler = ({ db, clock, log, replica }: SchedulerOptions): Scheduler => {
  const plugins = new Map<string, { isOpen: boolean; timers: Set<ReturnType<typeof setTimeout>> }>();

  const runOnce = async (plugin: string, { name, everyMs, run }: ScheduledJob): Promise<number> => {
    const startedAt = clock.now();
    const key = { plugin, job: name, replica };
    const turn = await takeJob(db, { ...key, leaseMs, now: startedAt });
    if (!turn.isTaken)
      return turn.nextRunAt === null ? mostPauseMs : turn.nextRunAt.getTime() - clock.now().getTime();
    const error = await run().then(
      () => null,
      (thrown) => messageOf(thrown).slice(0, 500),
    );
    await returnJob(db, { ...key, startedAt, now: clock.now(), everyMs, error });
    return everyMs - (clock.now().getTime() - startedAt.getTime());
  };

  const open: Scheduler["open"] = (plugin, jobs) => {
    close(plugin);
    const state = { isOpen: true, timers: new Set<ReturnType<typeof setTimeout>>() };
    plugins.set(plugin, state);

    const again = (job: ScheduledJob, pauseMs: number) => {
      if (!state.isOpen) return;
      const timer = setTimeout(
        async () => {
          state.timers.delete(timer);
          const next = await runOnce(plugin, job).catch((error) => {
            log.warn("a job of a plugin could not be run", {
              plugin,
              job: job.name,
              error: describeError(error),
            });
            return mostPauseMs;
          });
          again(job, next);
        },
        Math.min(mostPauseMs, Math.max(leastPauseMs, pauseMs)),
      );
      state.timers.add(timer);
    };

    const begin = async () => {
      const now = clock.now();
      await deleteOtherJobs(
        db,
        plugin,
        jobs.map(({ name }) => name),
      );
      for (const { name, everyMs } of jobs) await saveJob(db, { plugin, job: name, everyMs, now });
      for (const job of jobs) again(job, 0);
    };
    begin().catch((error) => {
      log.warn("the jobs of a plugin could not be stored", { plugin, error: describeError(error) });
      const timer = setTimeout(() => state.isOpen && open(plugin, jobs), mostPauseMs);
      state.timers.add(timer);
    });
  };

  const close: Scheduler["close"] = (plugin) => {
    const state = plugins.get(plugin);
    if (state === undefined) return;
    state.isOpen = false;
    for (const timer of state.timers) clearTimeout(timer);
    plugins.delete(plugin);
  };

  return {
    open,
    close,
    stop: () => {
      for (const plugin of [...plugins.keys()]) close(plugin);
    },
  };
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
