import { tryAgainIn } from "./relative-time.ts";

/** Sentences of the calls by which people look after their own account. */
export const accountTexts = {
  renamed: "Your name was changed",
  passwordChanged: "Your password was changed, and all other devices were signed out",
  passwordWrong: "This is not your current password",
  passwordSame: "Please choose a password other than your current one",
  passwordAbsent:
    "Your account has no password yet. To set one, have a link mailed to you by “Forgot password” on the sign-in page.",
  changedMeanwhile: "Your account was changed in the meantime. Please look at it again.",
  sessionEnded: "The device was signed out",
  othersEnded: "All other devices were signed out",
  deleted: "Your account was deleted",
  confirmed: "Confirmed",
  passwordWanted: "Please enter your password to confirm this",
  signInAgain: "Please sign in again first: without a password, this takes a sign-in of the last ten minutes",
} as const;

/** Said when a provider is linked that is linked already; `provider` is its name for people. */
export const alreadyLinked = (provider: string): string => `${provider} is linked to your account already`;

/** Said once a provider is unlinked. */
export const unlinked = (provider: string): string => `${provider} was unlinked from your account`;

/** Said after too many wrong passwords of somebody who is signed in; `waitS` is in seconds. */
export const tooManyPasswords = (waitS: number): string => `Too many wrong passwords. ${tryAgainIn(waitS)}`;
