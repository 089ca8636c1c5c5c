import type { Context } from "#api/core/context.ts";
import { endSession } from "#api/modules/sessions/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import type { MessageAnswer } from "./model.ts";

/** Ends the caller's session. Whoever has none is signed out already, and told the same. */
export const logout = async (ctx: Context): Promise<MessageAnswer> => {
  const endedUserId = ctx.actor.kind === "user" ? await endSession(ctx.db, ctx.actor.sessionHash) : null;
  if (endedUserId !== null) ctx.events.publish({ type: "sessions-ended", userId: endedUserId });
  return { success: true, message: authTexts.loggedOut };
};
