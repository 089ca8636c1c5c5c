import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { contactTexts } from "#contract/contact-texts.ts";
import { messageId, unknownMessage } from "./message-id.ts";
import { updateHandled } from "./store.ts";

/** Marks a message as handled, or opens it again. For admins and the operator. Throws `NOT_FOUND`. */
export const handleMessage = async (ctx: Context, { id, handled }: { id: string; handled: boolean }) => {
  requireAdmin(ctx);
  const now = ctx.clock.now();
  const data = await updateHandled(ctx.db, messageId(id), { isHandled: handled, now });
  if (data === null) throw unknownMessage();
  const message = handled ? contactTexts.handled : contactTexts.reopened;
  return { success: true as const, message, data };
};
