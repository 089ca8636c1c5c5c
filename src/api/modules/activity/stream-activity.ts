import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ActivityStreams } from "./activity-streams.ts";
import { type ActivityFilterQuery, matches, readFilter } from "./filter.ts";

/** Which activities are wanted live; `after` is the number of the last that the caller has, absent for none. */
export type StreamInput = ActivityFilterQuery & { after?: number | undefined };

/**
 * New activities as server-sent events, from the moment of the call or from behind `after`. For admins and the operator;
 * it ends with the caller's session. Throws what opening a stream throws.
 */
export const streamActivity = async (
  ctx: Context,
  { streams, after, ...query }: StreamInput & { streams: ActivityStreams },
): Promise<AsyncIterableIterator<string>> => {
  requireAdmin(ctx);
  const filter = readFilter(query);
  return streams.open({
    actor: ctx.actor,
    after: after ?? null,
    matches: (activity) => matches(filter, activity),
  });
};
