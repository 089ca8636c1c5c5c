import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ListMessagesInput, MessageList } from "./contract.ts";
import { selectMessages } from "./store.ts";

/** Messages whose writer or text holds `search`, newest first. For admins and the operator. */
export const listMessages = async (ctx: Context, input: ListMessagesInput): Promise<MessageList> => {
  requireAdmin(ctx);
  const { limit, offset } = input;
  const wanted = { ...input, search: input.search.trim() };
  const { total, totalIsEstimate, ...page } = await selectMessages(ctx.db, wanted);
  return { ...page, pagination: { total, totalIsEstimate, limit, offset } };
};
