import {
  type Complaint,
  emailComplaint,
  hasUnprintable,
  hasVisible,
  isLongerThan,
  nameComplaint,
} from "./account-rules.ts";
import { fieldTexts } from "./errors.ts";
import { pageLimits } from "./limits.ts";
import { tryAgainIn } from "./relative-time.ts";

/** What a message can be about. */
export const contactSubjects = ["General", "Sales", "Support"] as const;

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

/** A field of the contact form. */
type MessageField = {
  /** What it is called wherever it is shown. */
  label: string;
  /** Whether the search of messages looks into it. */
  isSearched?: true;
  /** How it is filled in: a line, a choice, or a text of several lines. */
  control: "line" | "choice" | "text";
  choices?: readonly string[];
  /** What browsers know it as. */
  autoComplete?: "name" | "email" | "organization" | "tel";
  complaint: (typed: string) => Complaint;
  /** What is sent and stored of what was typed. */
  plain: (typed: string) => string;
};

const trim = (typed: string): string => typed.trim();

/** What a visitor writes, in the order of the form. Email, export, sheet and terminal show each under its label. */
export const messageFields = {
  name: {
    label: "Name",
    isSearched: true,
    control: "line",
    autoComplete: "name",
    complaint: nameComplaint,
    plain: trim,
  },
  email: {
    label: "Email",
    isSearched: true,
    control: "line",
    autoComplete: "email",
    complaint: emailComplaint,
    plain: trim,
  },
  subject: {
    ...{ label: "Subject", control: "choice", choices: contactSubjects },
    ...{ complaint: subjectComplaint, plain: trim },
  },
  message: {
    label: "Message",
    isSearched: true,
    control: "text",
    complaint: messageComplaint,
    plain: plainMessage,
  },
} as const satisfies Record<string, MessageField>;

export type MessageFieldName = keyof typeof messageFields;

/** The names of the fields, in the order of the form. */
export const messageFieldNames = Object.keys(messageFields).filter(
  (name): name is MessageFieldName => name in messageFields,
);

/** One field, whichever it is. */
export const messageField = (name: MessageFieldName): MessageField => messageFields[name];

const byName = <T>(valueFor: (name: MessageFieldName) => T) =>
  // `Object.fromEntries` forgets that each of the names is there.
  Object.fromEntries(messageFieldNames.map((name) => [name, valueFor(name)])) as Record<MessageFieldName, T>;

/** The complaint about each field, `null` for one that is right. */
export const messageRules = byName((name) => messageFields[name].complaint);

/** A message as it is sent and stored. */
export const plainFields = (typed: Record<MessageFieldName, string>): Record<MessageFieldName, string> =>
  byName((name) => messageFields[name].plain(typed[name]));

/** Label and content of each field, those left out that are shown in another way. */
export const labelled = (
  message: Record<MessageFieldName, string>,
  { without }: { without: readonly MessageFieldName[] },
): [label: string, content: string][] =>
  messageFieldNames
    .filter((name) => !without.includes(name))
    .map((name) => [messageFields[name].label, message[name]]);
