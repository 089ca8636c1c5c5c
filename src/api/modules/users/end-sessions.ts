import type { Context } from "#api/core/context.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { changeAccount } from "./change-account.ts";
import type { UserHandle } from "./contract.ts";

/** Signs a user out everywhere; tells how many sessions ended. For admins and the operator. Throws `NOT_FOUND`. */
export const endSessions = (ctx: Context, input: UserHandle): Promise<{ ended: number }> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Ended all sessions of a user",
    severity: "medium",
    events: ["sessions-ended"],
    change: async (tx, { user }) => {
      const ended = await endSessionsOf(tx, user.id);
      return {
        answer: { ended },
        recorded: ended === 0 ? null : { before: { open: ended }, after: { open: 0 } },
      };
    },
  });
