import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { ContactMessage } from "./contract.ts";
import { messageId, unknownMessage } from "./message-id.ts";
import { findMessage, markRead } from "./store.ts";

/** One message, which counts as read from then on. For admins and the operator. Throws `NOT_FOUND`. */
export const getMessage = async (ctx: Context, input: { id: string }): Promise<ContactMessage> => {
  requireAdmin(ctx);
  const message = await findMessage(ctx.db, messageId(input.id));
  if (message === null) throw unknownMessage();
  if (message.readAt !== null) return message;
  const now = ctx.clock.now();
  try {
    await markRead(ctx.db, message.id, now);
    return { ...message, readAt: now.toISOString() };
  } catch (error) {
    // On a full disk messages can be read all the same; this one stays bold.
    ctx.log.warn("a message was not marked as read", { message: message.id, error: describeError(error) });
    return message;
  }
};
