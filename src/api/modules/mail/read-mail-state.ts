import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { countByStatus } from "./admin-store.ts";
import type { MailState } from "./contract.ts";

/** How mails leave, how that goes in this process, and how many there are. For admins and the operator. */
export const readMailState = async (ctx: Context): Promise<MailState> => {
  requireAdmin(ctx);
  const { transport, server, from, health } = ctx.outbox;
  return { transport, server, from, ...health(), counts: await countByStatus(ctx.db) };
};
