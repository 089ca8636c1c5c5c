import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { MetricsDoor } from "#api/core/metrics.ts";
import { isMetricsBearer } from "./is-metrics-bearer.ts";

/**
 * The figures, for the operator and whoever brings the right token. Throws `NOT_FOUND` where there is no token,
 * `NOT_SIGNED_IN` for a wrong one, and `RATE_LIMITED` after 20 wrong ones a minute from one network; the right one always
 * gets in.
 */
export const readMetrics = async (
  ctx: Context,
  door: MetricsDoor,
  bearer: string | null,
): Promise<string> => {
  if (door.isAllowed === null) throw new AppError("NOT_FOUND");
  if (ctx.actor.kind === "operator" || (await isMetricsBearer(ctx, door.isAllowed, bearer)))
    return door.text();
  throw new AppError("NOT_SIGNED_IN", "The token is missing or wrong");
};
