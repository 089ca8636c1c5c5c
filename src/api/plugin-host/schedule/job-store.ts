import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";

type Job = { plugin: string; job: string };

/** Makes a job known; one that is known keeps its time, unless it is to run at another pace. */
export const saveJob = async (
  db: Database,
  { plugin, job, everyMs, now }: Job & { everyMs: number; now: Date },
): Promise<void> => {
  const next = new Date(now.getTime() + everyMs).toISOString();
  await db.execute(sql`
    insert into plugin_jobs (plugin, job, every_ms, next_run_at)
    values (${plugin}, ${job}, ${everyMs}, ${next}::timestamptz)
    on conflict (plugin, job) do update set
      next_run_at = case when plugin_jobs.every_ms = excluded.every_ms
        then plugin_jobs.next_run_at else excluded.next_run_at end,
      every_ms = excluded.every_ms`);
};

/** Removes jobs of a plugin that it has no more. */
export const deleteOtherJobs = async (
  db: Database,
  plugin: string,
  kept: readonly string[],
): Promise<void> => {
  await db.execute(sql`
    delete from plugin_jobs
    where plugin = ${plugin} and not (job = any(${`{${kept.join(",")}}`}::text[]))`);
};

/**
 * Takes a job that is due, for as long as the lease; only one server gets it. Otherwise tells when to look again.
 */
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

/** Gives a job back after its run. Runs that were missed meanwhile are not made up for. */
export const returnJob = async (
  db: Database,
  input: Job & { replica: string; startedAt: Date; now: Date; everyMs: number; error: string | null },
): Promise<void> => {
  const { plugin, job, replica, startedAt, now, everyMs, error } = input;
  const missed = Math.max(1, Math.ceil((now.getTime() - startedAt.getTime()) / everyMs));
  const next = new Date(startedAt.getTime() + missed * everyMs).toISOString();
  await db.execute(sql`
    update plugin_jobs set leased_until = null, leased_by = null, last_error = ${error},
      last_run_at = ${startedAt.toISOString()}::timestamptz, next_run_at = ${next}::timestamptz
    where plugin = ${plugin} and job = ${job} and leased_by = ${replica}`);
};
