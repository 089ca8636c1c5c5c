import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { contactTexts } from "#contract/contact-texts.ts";
import { messageId, unknownMessage } from "./message-id.ts";
import { removeMessage } from "./store.ts";

/** Removes a message for good. For admins and the operator. Throws `NOT_FOUND`. */
export const deleteMessage = async (ctx: Context, input: { id: string }) => {
  requireAdmin(ctx);
  if (!(await removeMessage(ctx.db, messageId(input.id)))) throw unknownMessage();
  return { success: true as const, message: contactTexts.deleted };
};
