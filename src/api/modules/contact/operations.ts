import { implement } from "#api/core/implement.ts";
import { contactContract } from "./contract.ts";
import { deleteMessage, exportMessages, getMessage, handleMessage, listMessages } from "./messages.ts";
import { sendMessage } from "./send-message.ts";

/** What does the operations about contact messages. */
export const contactOperations = implement("contact", contactContract, {
  send: (ctx, { "idempotency-key": idempotencyKey = null, ...input }) =>
    sendMessage(ctx, { ...input, idempotencyKey }),
  list: listMessages,
  export: exportMessages,
  get: getMessage,
  update: handleMessage,
  remove: deleteMessage,
});
