import type { Context, Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { type FeatureJob, timesOf } from "#api/core/feature-server.ts";
import { newId } from "#api/core/ids.ts";
import { within } from "#api/core/timing.ts";
import type { LoadedFeature } from "#api/load-features.ts";
import { createScheduler } from "#api/plugin-host/dispatch/scheduler.ts";

// A server that dies keeps its lease: a job that takes longer may run on another server meanwhile.
const leaseMs = 10 * 60_000;
const patienceMs = 5_000;

/** What a job of a feature knows of the world; it acts as the operator. */
export const jobContext = (services: Services): Context => ({
  ...services,
  actor: { kind: "operator" },
  requestId: newId(),
  ip: "local",
  userAgent: null,
});

/**
 * Runs the jobs of features, each on one server at a time. One that throws is logged, and runs again when it is due next. With features,
 * a promise that failed and that nothing waits for is logged, too, instead of ending the server.
 * `stop` waits five seconds for those that are running.
 */
export const startFeatureJobs = (services: Services, features: readonly LoadedFeature[]) => {
  const scheduler = createScheduler({ ...services, replica: newId(), leaseMs });
  const running = new Set<Promise<void>>();
  const runOnce = async (feature: string, name: string, { run }: FeatureJob): Promise<void> => {
    // Also of one that throws before its first promise.
    const work = (async () => run(jobContext(services)))();
    running.add(work);
    await work
      .catch((error: unknown) => {
        services.log.error("a job of a feature failed", { feature, job: name, error: describeError(error) });
        throw error;
      })
      .finally(() => running.delete(work));
  };
  const tellOfLost = (error: unknown) =>
    services.log.error("a promise failed that nothing waits for: an await is missing", {
      error: describeError(error),
    });
  if (features.length > 0) process.on("unhandledRejection", tellOfLost);
  let isStopped = false;
  const open = async ({ name, server }: LoadedFeature): Promise<void> => {
    const jobs = await Promise.all(
      Object.entries(server.jobs ?? {}).map(async ([job, declared]) => ({
        ...(await timesOf(job, declared)),
        run: () => runOnce(name, job, declared),
      })),
    );
    if (jobs.length > 0 && !isStopped) scheduler.open(`own/${name}`, jobs);
  };
  for (const feature of features)
    open(feature).catch((error: unknown) =>
      services.log.error("the jobs of a feature could not be started", {
        ...{ feature: feature.name, error: describeError(error) },
      }),
    );
  return {
    stop: async (): Promise<void> => {
      isStopped = true;
      scheduler.stop();
      await within(patienceMs, Promise.allSettled(running)).catch(() => {});
      process.off("unhandledRejection", tellOfLost);
    },
  };
};
