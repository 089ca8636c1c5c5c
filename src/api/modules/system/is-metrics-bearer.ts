import { placeBudgets } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { MetricsDoor } from "#api/core/metrics.ts";

const mostWrong = 20;
const windowMs = 60_000;

/**
 * Whether a bearer is the token of `METRICS_TOKEN`. Throws `RATE_LIMITED` after 20 wrong ones a minute from one network,
 * whatever the address they were tried at; the right one always gets in.
 */
export const isMetricsBearer = async (
  ctx: Pick<Context, "attempts" | "ip">,
  isAllowed: NonNullable<MetricsDoor["isAllowed"]>,
  bearer: string | null,
): Promise<boolean> => {
  if (isAllowed(bearer)) return true;
  await ctx.attempts.spend(
    placeBudgets(ctx.ip, {
      key: "metrics:",
      ...{ most: mostWrong, windowMs },
      message: (waitS) => `Too many wrong tokens, please wait ${waitS} seconds`,
    }),
  );
  return false;
};
