import { type Complaint, hasUnprintable, hasVisible, isLongerThan } from "./account-rules.ts";
import { contactTexts } from "./contact-texts.ts";
import { pageLimits } from "./page-limits.ts";

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
