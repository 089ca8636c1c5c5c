import type { Composition } from "#cli/composition.ts";
import { type Check, fail, ok } from "./check.ts";

const name = "Redis";

/** Whether the Redis server that is configured can be used; without one there is nothing to look at. */
export const checkRedis = async ({ inspectRedis }: Pick<Composition, "inspectRedis">): Promise<Check> => {
  const report = await inspectRedis();
  if (report === null) return ok(name, "no REDIS_URL: sign-in limits are counted in the server's process");
  if (report.isUsable)
    return ok(
      name,
      `${report.server} answers in ${report.latencyMs.toFixed(1)} ms, version ${report.version}`,
    );
  return fail(
    name,
    `${report.server}: ${report.reason}; each server counts sign-in attempts for itself`,
    "check REDIS_URL, and that this machine may connect to it",
  );
};
