/** Sentences of the calls by which accounts are looked after. */
export const userTexts = {
  added: "The user was added",
  roleChanged: "The role was changed; the user signs in again to have it",
  roleKept: "The user has this role already",
  disabled: "The account was disabled and signed out everywhere",
  enabled: "The account was enabled",
  deleted: "The account was deleted",
  sessionsEnded: "The user was signed out everywhere",
  resetMailed: "A link to choose a new password was mailed",
  resetOfDisabled: "This account is disabled; enable it first",
  verified: "The address counts as verified, and the account is ready",
  registrationRemoved: "The registration was removed",
  severalRegistrations: "Several registrations of this address wait; choose one of them by its id",
  unknown: "There is no such user",
  registrationUnknown: "There is no such registration; it may be verified by now, or have expired",
} as const;
