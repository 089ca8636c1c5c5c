import { implement } from "#api/core/implement.ts";
import { mailContract } from "./contract.ts";
import { discardMail } from "./discard-mail.ts";
import { getMail } from "./get-mail.ts";
import { listMails } from "./list-mails.ts";
import { readMailState } from "./read-mail-state.ts";
import { retryDeadMails } from "./retry-dead-mails.ts";
import { retryMail } from "./retry-mail.ts";
import { sendTestMail } from "./send-test-mail.ts";

/** What does the operations about mails. */
export const mailOperations = implement("mail", mailContract, {
  status: readMailState,
  get: getMail,
  list: listMails,
  retry: retryMail,
  retryAll: retryDeadMails,
  discard: discardMail,
  test: sendTestMail,
});
