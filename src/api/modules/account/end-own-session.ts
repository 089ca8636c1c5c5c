import { requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { endSessionById } from "#api/modules/sessions/index.ts";

/** Ends one of the caller's sessions. Throws `NOT_FOUND` for an id that is nobody's or somebody else's. */
export const endOwnSession = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ isCurrent: boolean }> => {
  const { user, sessionHash } = requireSession(ctx);
  const endedHash = await endSessionById(ctx.db, user.id, id);
  if (endedHash === null) throw new AppError("NOT_FOUND");
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { isCurrent: endedHash === sessionHash };
};
