import { type Complaint, emailComplaint, nameComplaint } from "./account-rules.ts";
import { contactSubjects, messageComplaint, plainMessage, subjectComplaint } from "./contact-rules.ts";

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
