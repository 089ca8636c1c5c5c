import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireSession } from "#api/core/require-actor.ts";
import { endSessionById, listSessions } from "#api/modules/sessions/index.ts";

/** Ends one of the caller's sessions. Throws `NOT_FOUND` for an id that is nobody's or somebody else's. */
export const endOwnSession = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ isCurrent: boolean }> => {
  const { user, sessionHash } = requireSession(ctx);
  const own = await listSessions(ctx.db, user.id, ctx.clock.now());
  const session = own.find((row) => row.id === id);
  if (!session || !(await endSessionById(ctx.db, user.id, session.id))) throw new AppError("NOT_FOUND");
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { isCurrent: session.tokenHash === sessionHash };
};
