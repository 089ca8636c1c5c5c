/**
 * What becomes of an email: it waits for its next try; the mail server has taken it, or without one a file that reaches
 * no one; or it was given up.
 */
export const mailStatuses = ["waiting", "sent", "dead"] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** Sentences about the outbox that several doors show. */
export const mailTexts = {
  none: "No emails",
  unknown: "This email doesn't exist; it may have been cleaned up",
  beforeGone: "This email no longer exists; please start again from the newest",
  alreadySent: "This email was already sent",
  discardedBefore: "This email was discarded, and its content is deleted",
  beingSent: "This email is being sent right now; please try again in a minute",
  retried: "The email will be tried again now",
  retriedAll: (count: number) => `${count} ${count === 1 ? "email" : "emails"} will be tried again now`,
  discarded: "The email was discarded",
  discardedBy: "Discarded before it was sent",
  recipientRequired: "Please give a recipient for the test email",
  testedJustNow: (waitS: number) =>
    `A test email to this address was sent a moment ago; please wait ${waitS} ${waitS === 1 ? "second" : "seconds"}`,
  testedTooOften: (waitS: number) => {
    const minutes = Math.ceil(waitS / 60);
    return `You have sent many test emails; please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  },
  searchTooLong: (most: number) => `Please search for at most ${most} characters`,
} as const;
