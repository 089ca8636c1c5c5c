import { adminAction } from "#api/core/admin-action.ts";
import type { Context } from "#api/core/context.ts";
import { contactTexts } from "#contract/contact-texts.ts";
import type { ContactMessage } from "./contract.ts";
import { messageId, unknownMessage } from "./message-id.ts";
import { messageInLog } from "./message-in-log.ts";
import { holdMessage, updateHandled } from "./store.ts";

/** A message before and after. */
type Handled = { was: ContactMessage; is: ContactMessage };

/** Marks a message as handled, or opens it again. For admins and the operator. Throws `NOT_FOUND`. */
export const handleMessage = async (ctx: Context, { id, handled }: { id: string; handled: boolean }) => {
  const act = {
    type: "admin_action",
    action: handled ? "Marked a contact message as handled" : "Opened a contact message again",
    described: ({ was, is }: Handled) => {
      const [before, after] = [was, is].map(({ handledAt }) => ({ handled: handledAt !== null }));
      return before?.handled === after?.handled ? null : { ...messageInLog(is), before, after };
    },
  } as const;
  const { is: data } = await adminAction(ctx, act, async (tx) => {
    const was = await holdMessage(tx, messageId(id));
    if (was === null) throw unknownMessage();
    const is = await updateHandled(tx, was.id, { isHandled: handled, now: ctx.clock.now() });
    return { was, is };
  });
  const message = handled ? contactTexts.handled : contactTexts.reopened;
  return { message, data };
};
