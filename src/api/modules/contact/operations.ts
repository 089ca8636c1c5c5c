import { implement } from "#api/core/implement.ts";
import { contactContract } from "./contract.ts";
import { deleteMessage } from "./delete-message.ts";
import { exportMessages } from "./export-messages.ts";
import { getMessage } from "./get-message.ts";
import { handleMessage } from "./handle-message.ts";
import { listMessages } from "./list-messages.ts";
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
