import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { MetricsDoor } from "#api/core/metrics-door.ts";
import { networkOf } from "#api/core/network-of.ts";

const mostWrong = 20;
const windowMs = 60_000;

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
  if (ctx.actor.kind === "operator" || door.isAllowed(bearer)) return door.text();
  await ctx.attempts.spend([
    {
      key: `metrics:${networkOf(ctx.ip)}`,
      ...{ most: mostWrong, windowMs },
      message: (waitS) => `Too many wrong tokens, please wait ${waitS} seconds`,
    },
  ]);
  throw new AppError("NOT_SIGNED_IN", "The token is missing or wrong");
};
