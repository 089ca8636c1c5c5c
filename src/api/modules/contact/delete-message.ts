import { adminAction } from "#api/core/admin-action.ts";
import type { Context } from "#api/core/context.ts";
import { contactTexts } from "#contract/contact-texts.ts";
import { messageId, unknownMessage } from "./message-id.ts";
import { messageInLog } from "./message-in-log.ts";
import { removeMessage } from "./store.ts";

/** Removes a message for good. For admins and the operator. Throws `NOT_FOUND`. */
export const deleteMessage = async (ctx: Context, input: { id: string }) => {
  const act = {
    type: "admin_action",
    action: "Deleted a contact message",
    severity: "medium",
    described: messageInLog,
  } as const;
  await adminAction(ctx, act, async (tx) => {
    const removed = await removeMessage(tx, messageId(input.id));
    if (removed === null) throw unknownMessage();
    return removed;
  });
  return { message: contactTexts.deleted };
};
