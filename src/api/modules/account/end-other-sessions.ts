import { requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { endSessionsOf, findSession } from "#api/modules/sessions/index.ts";

/** Ends all of the caller's sessions but the one that asks, and tells how many those were. */
export const endOtherSessions = async (ctx: Context): Promise<{ ended: number }> => {
  const { user, sessionHash } = requireSession(ctx);
  const ended = await ctx.db.transaction(async (tx) => {
    const count = await endSessionsOf(tx, user.id, { except: sessionHash });
    // Two browsers that end each other at once would both be signed out: the later one is refused.
    if (!(await findSession(tx, sessionHash))) throw new AppError("NOT_SIGNED_IN");
    return count;
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { ended };
};
