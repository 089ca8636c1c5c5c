import { type Complaint, hasUnprintable, hasVisible, isLongerThan } from "./account-rules.ts";
import { fieldTexts } from "./errors.ts";
import { pageLimits } from "./limits.ts";
import { tryAgainIn } from "./relative-time.ts";

/** What a message can be about. */
export const contactSubjects = ["General", "Sales", "Support"] as const;
export type ContactSubject = (typeof contactSubjects)[number];

/** Complaint about a message's subject: none chosen, or one that does not exist. */
export const subjectComplaint = (subject: string): Complaint =>
  contactSubjects.some((known) => known === subject) ? null : contactTexts.subjectRequired;

/** A message as it is stored: without space around it, each line break one `\n`. */
export const plainMessage = (message: string): string => message.replace(/\r\n?/g, "\n").trim();

/**
 * Complaint about a message: empty, longer than 5,000 characters, or with characters that cannot be seen. Line breaks
 * and tabs are fine.
 */
export const messageComplaint = (message: string): Complaint => {
  const value = plainMessage(message);
  if (value === "") return contactTexts.messageRequired;
  if (isLongerThan(value, pageLimits.messageLength)) return contactTexts.messageTooLong;
  if (hasUnprintable(value.replace(/[\n\t]/g, " "))) return contactTexts.messageUnprintable;
  return hasVisible(value) ? null : contactTexts.messageRequired;
};

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
  unknown: "This message doesn't exist; it may have been deleted",
} as const;

/** Said when too many messages came from one place; `waitS` is in seconds. */
export const tooManyMessages = (waitS: number): string =>
  `Too many messages came from your network. ${tryAgainIn(waitS)}`;
