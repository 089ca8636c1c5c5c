/**
 * What becomes of a mail: it waits for its next try; the mail server has taken it, or without one a file that reaches
 * nobody; or it was given up.
 */
export const mailStatuses = ["waiting", "sent", "dead"] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** A mail of the outbox as admins see it: never its text, never its links. Times are ISO 8601 in UTC. */
export type MailRow = {
  id: string;
  recipient: string;
  subject: string;
  status: MailStatus;
  /** How many times it was tried. */
  attempts: number;
  /** Why the last try failed; `null` when none did. */
  lastError: string | null;
  /** When it is tried next; `null` unless it waits. */
  nextAttemptAt: string | null;
  createdAt: string;
  sentAt: string | null;
  /** Whether it can be tried again: it has not left, and its text is still there. */
  canRetry: boolean;
};

/** How many mails of each status the outbox holds. */
export type MailCounts = Record<MailStatus, number>;

/** How mails leave, and how that goes. */
export type MailState = {
  /** Through a mail server, or into files that nobody receives. */
  transport: "smtp" | "outbox";
  /** Host and port of the mail server; `null` without one. */
  server: string | null;
  from: string;
  /** Whether the last try of this process got through; `true` before the first one. */
  isHealthy: boolean;
  /** Why not; `null` while it does. */
  lastError: string | null;
  counts: MailCounts;
};

/** Sentences about the outbox that several doors show. */
export const mailTexts = {
  none: "No mails",
  unknown: "There is no such mail; it may have been cleaned up",
  beforeGone: "This mail is not there any more; please begin again at the newest",
  alreadySent: "This mail has left already",
  discardedBefore: "This mail was discarded, and its text is gone",
  beingSent: "This mail is being sent at this moment; please try again in a minute",
  retried: "The mail is tried again now",
  retriedAll: (count: number) => `${count} ${count === 1 ? "mail is" : "mails are"} tried again now`,
  discarded: "The mail was discarded",
  discardedBy: "Discarded before it left",
  recipientRequired: "Please say who is to get the test mail",
  testedJustNow: (waitS: number) =>
    `A test mail to this address was asked for a moment ago; please wait ${waitS} ${waitS === 1 ? "second" : "seconds"}`,
  testedTooOften: (waitS: number) => {
    const minutes = Math.ceil(waitS / 60);
    return `You have asked for many test mails; please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  },
  searchTooLong: (most: number) => `Please search for at most ${most} characters`,
} as const;
