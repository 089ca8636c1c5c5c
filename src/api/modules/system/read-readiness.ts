import type { Context } from "#api/core/context.ts";
import type { MetricsDoor } from "#api/core/metrics-door.ts";
import type { Readiness, ReadyReport } from "#api/core/readiness.ts";
import { requireAdmin } from "#api/core/require-actor.ts";

/** Whether requests can be answered; strangers read no more than the word. Throws as {@link Readiness} does. */
export const readReadiness = async (
  { actor }: Context,
  readiness: Readiness,
  { door, bearer }: { door: MetricsDoor; bearer: string | null },
): Promise<Pick<ReadyReport, "status"> & Partial<ReadyReport>> => {
  const { status, parts } = await readiness.read();
  return actor.kind === "operator" || door.isAllowed?.(bearer) === true ? { status, parts } : { status };
};

/** The same with its parts, for admins. Throws as {@link Readiness} does. */
export const readParts = (ctx: Context, readiness: Readiness): Promise<ReadyReport> => {
  requireAdmin(ctx);
  return readiness.read();
};
