import { sql } from "drizzle-orm";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { pluginLimits } from "#contract/plugins.ts";

/** A job of a plugin that runs on this server, every `everyMs` or when `nextAt` says, which it is asked at each end of a run. */
type ScheduledJob = {
  name: string;
  everyMs: number;
  nextAt?: (after: Date) => Date;
  run(): Promise<void>;
};

/** Runs the jobs of plugins, or of own features, each on one server at a time. */
export type Scheduler = {
  /** Sets a plugin's jobs, replacing its former ones. */
  open(plugin: string, jobs: readonly ScheduledJob[]): void;
  /** Starts no more of them here; a running one continues. */
  close(plugin: string): void;
  stop(): void;
};

type SchedulerOptions = Pick<Services, "db" | "clock" | "log"> & {
  replica: string;
  /** For how long a job may run at most. */
  leaseMs?: number;
};

// A server that dies keeps its lease: longer than any run can take.
const usualLeaseMs = pluginLimits.wallMs + 20_000;
const leastPauseMs = 250;
const mostPauseMs = 60_000;

/** Creates it without jobs. */
export const createScheduler = ({
  db,
  clock,
  log,
  replica,
  leaseMs = usualLeaseMs,
}: SchedulerOptions): Scheduler => {
  const plugins = new Map<string, { isOpen: boolean; timers: Set<ReturnType<typeof setTimeout>> }>();

  const runOnce = async (plugin: string, { name, everyMs, nextAt, run }: ScheduledJob): Promise<number> => {
    const startedAt = clock.now();
    const key = { plugin, job: name, replica };
    const turn = await takeJob(db, { ...key, leaseMs, now: startedAt });
    if (!turn.isTaken)
      return turn.nextRunAt === null ? mostPauseMs : turn.nextRunAt.getTime() - clock.now().getTime();
    const error = await run().then(
      () => null,
      (thrown) => messageOf(thrown).slice(0, 500),
    );
    const nextRunAt = nextAt?.(clock.now());
    await returnJob(db, { ...key, startedAt, now: clock.now(), everyMs, nextRunAt, error });
    return (nextRunAt?.getTime() ?? startedAt.getTime() + everyMs) - clock.now().getTime();
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
      for (const { name, everyMs, nextAt } of jobs)
        await saveJob(db, { plugin, job: name, everyMs, now, nextRunAt: nextAt?.(now) });
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

type Job = { plugin: string; job: string };

/** Stores a job; a known one keeps its next time, unless its interval changed. */
export const saveJob = async (
  db: Database,
  {
    plugin,
    job,
    everyMs,
    now,
    nextRunAt,
  }: Job & { everyMs: number; now: Date; nextRunAt?: Date | undefined },
): Promise<void> => {
  const next = (nextRunAt ?? new Date(now.getTime() + everyMs)).toISOString();
  await db.execute(sql`
    insert into plugin_jobs (plugin, job, every_ms, next_run_at)
    values (${plugin}, ${job}, ${everyMs}, ${next}::timestamptz)
    on conflict (plugin, job) do update set
      next_run_at = case when plugin_jobs.every_ms = excluded.every_ms
        then plugin_jobs.next_run_at else excluded.next_run_at end,
      every_ms = excluded.every_ms`);
};

/** Removes jobs that a plugin no longer has. */
const deleteOtherJobs = async (db: Database, plugin: string, kept: readonly string[]): Promise<void> => {
  await db.execute(sql`
    delete from plugin_jobs
    where plugin = ${plugin} and not (job = any(${`{${kept.join(",")}}`}::text[]))`);
};

/** Takes a due job for the duration of the lease; only one server gets it. Otherwise returns when to check again. */
export const takeJob = async (
  db: Database,
  { plugin, job, replica, leaseMs, now }: Job & { replica: string; leaseMs: number; now: Date },
): Promise<{ isTaken: true } | { isTaken: false; nextRunAt: Date | null }> => {
  const at = now.toISOString();
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const taken = await db.execute(sql`
    update plugin_jobs set leased_until = ${until}::timestamptz, leased_by = ${replica}
    where plugin = ${plugin} and job = ${job} and next_run_at <= ${at}::timestamptz
      and (leased_until is null or leased_until <= ${at}::timestamptz)
    returning 1`);
  if (taken.length > 0) return { isTaken: true };
  const [row] = await db.execute<{ next: string }>(sql`
    select greatest(next_run_at, leased_until)::text as next from plugin_jobs
    where plugin = ${plugin} and job = ${job}`);
  return { isTaken: false, nextRunAt: row === undefined ? null : new Date(row.next) };
};

/** Gives a job back after its run. Missed runs are not made up for. */
export const returnJob = async (
  db: Database,
  input: Job & {
    replica: string;
    startedAt: Date;
    now: Date;
    everyMs: number;
    nextRunAt?: Date | undefined;
    error: string | null;
  },
): Promise<void> => {
  const { plugin, job, replica, startedAt, now, everyMs, error } = input;
  const missed = Math.max(1, Math.ceil((now.getTime() - startedAt.getTime()) / everyMs));
  const next = (input.nextRunAt ?? new Date(startedAt.getTime() + missed * everyMs)).toISOString();
  await db.execute(sql`
    update plugin_jobs set leased_until = null, leased_by = null, last_error = ${error},
      last_run_at = ${startedAt.toISOString()}::timestamptz, next_run_at = ${next}::timestamptz
    where plugin = ${plugin} and job = ${job} and leased_by = ${replica}`);
};
