import { fieldTexts } from "./errors.ts";
import { pageLimits } from "./page-limits.ts";
import { tryAgainIn } from "./try-again-in.ts";

// Without `Intl`, whose first formatter holds up a slow phone for 60 ms: the form loads this before it can be used.
const withCommas = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** Sentences of the contact form and of the calls behind it. */
export const contactTexts = {
  sent: "Thank you for your message! We'll get back to you soon.",
  sendFailed: "Failed to send message",
  subjectRequired: "Please choose a subject",
  messageRequired: "Please enter a message",
  messageTooLong: `Please use at most ${withCommas(pageLimits.messageLength)} characters`,
  messageUnprintable: fieldTexts.unprintable,
  keyInvalid: "Please send 8 to 128 visible ASCII characters",
  handled: "The message was marked as handled",
  reopened: "The message was opened again",
  deleted: "The message was deleted",
  unknown: "There is no such message; it may have been deleted",
} as const;

/** Said when too many messages came from one place; `waitS` is in seconds. */
export const tooManyMessages = (waitS: number): string =>
  `Too many messages came from your network. ${tryAgainIn(waitS)}`;
