/**
 * What becomes of a mail: it waits for its next try; the mail server has taken it, or without one a file that reaches
 * nobody; or it was given up.
 */
export const mailStatuses = ["waiting", "sent", "dead"] as const;
export type MailStatus = (typeof mailStatuses)[number];

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
