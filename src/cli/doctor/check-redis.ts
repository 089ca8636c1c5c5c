import type { Composition } from "#cli/composition.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const name = "Redis";

/** Whether the Redis server that is configured can be used; without one there is nothing to look at. */
export const checkRedis = async ({ inspectRedis }: Pick<Composition, "inspectRedis">): Promise<Check> => {
  const report = await inspectRedis();
  if (report === null) return ok(name, "no REDIS_URL: sign-in limits are counted in the server's process");
  if (report.isUsable) {
    const { server, version, latencyMs, warnings } = report;
    const speed = latencyMs === null ? "" : ` in ${latencyMs.toFixed(1)} ms`;
    const detail = `${server} answers${speed}, version ${version ?? "unknown"}`;
    if (warnings.length === 0) return ok(name, detail);
    return warn(name, `${detail}; ${warnings.join("; ")}`, "`atrium settings test redis` says what to do");
  }
  return fail(
    name,
    `${report.server}: ${report.reason}; each server counts sign-in attempts for itself`,
    "check REDIS_URL, and that this machine may connect to it",
  );
};
