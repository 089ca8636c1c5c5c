import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { MetricsDoor, Readiness, ReadyReport } from "#api/core/metrics.ts";
import { isMetricsBearer } from "./is-metrics-bearer.ts";

/**
 * Whether requests can be answered; strangers read no more than the word. Throws as {@link Readiness} does, and
 * `RATE_LIMITED` for wrong bearers as the metrics do: who brings none always gets the word.
 */
export const readReadiness = async (
  ctx: Context,
  readiness: Readiness,
  { door, bearer }: { door: MetricsDoor; bearer: string | null },
): Promise<Pick<ReadyReport, "status"> & Partial<ReadyReport>> => {
  const isTrusted =
    ctx.actor.kind === "operator" ||
    (bearer !== null && door.isAllowed !== null && (await isMetricsBearer(ctx, door.isAllowed, bearer)));
  const { status, parts } = await readiness.read();
  return isTrusted ? { status, parts } : { status };
};

/** The same with its parts, for admins. Throws as {@link Readiness} does. */
export const readParts = (ctx: Context, readiness: Readiness): Promise<ReadyReport> => {
  requireAdmin(ctx);
  return readiness.read();
};
