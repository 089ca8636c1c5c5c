import type { Context } from "#api/core/context.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { changeAccount } from "./change-account.ts";
import type { UserHandle } from "./model.ts";

/** Signs a user out everywhere; tells how many sessions ended. For admins and the operator. Throws `NOT_FOUND`. */
export const endSessions = (ctx: Context, input: UserHandle): Promise<{ ended: number }> =>
  changeAccount(ctx, {
    handle: input.user,
    events: ["sessions-ended"],
    change: async (tx, { user }) => ({ ended: await endSessionsOf(tx, user.id) }),
  });
