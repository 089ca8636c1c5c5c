import { fieldTexts } from "./errors.ts";
import { tryAgainIn } from "./relative-time.ts";

/** Sentences of the account calls that the screens say as well as the server. */
export const pageAuthTexts = {
  authFailed: "Authentication failed. Please try again.",
  loginFailed: "Error logging in",
  verifyFirst: "Please verify your email before logging in",
  registerFailed: "Failed to register",
  passwordsDiffer: "Passwords do not match",
  verifying: "Verifying your email...",
  accountCreated: "Your account is ready. Redirecting to login...",
  verified: "Email verified successfully! Redirecting to login...",
  verificationInvalid: "Invalid or expired verification token",
  verificationFailed: "Failed to verify email",
  resendFailed: "Failed to send verification email",
  resetMailFailed: "Error sending password reset email",
  resetTokenMissing: "No reset token provided",
  resetDone: "Password reset successful! Redirecting to login...",
  resetFailed: "Error resetting password",
  networkFailed: "An error occurred. Please try again.",
  logoutTitle: "Confirm Logout",
  logoutQuestion: "Are you sure you want to logout?",
  nameRequired: "Please enter your name",
  nameTooLong: "Please use at most 100 characters",
  nameUnprintable: fieldTexts.unprintable,
  emailRequired: "Please enter your email address",
  emailTooLong: "This email address is too long",
  emailInvalid: "Please enter a valid email address",
  codeRequired: "Please enter a code",
  codeDigits: "The code has six digits. Please enter all of them.",
  passwordRequired: "Please enter a password",
  passwordTooShort: "Please use at least 8 characters",
  passwordTooLong: "Please use at most 128 characters",
  passwordCommon: "This password is among the most common ones; please choose another",
  passwordBreached: "This password has appeared in a data breach. Please choose another one.",
  passwordPersonal: "Please choose a password that isn't your name, your email or the product's name",
} as const;

const signInsFailed = "Too many failed sign-ins.";

/** Sentences of the account calls and screens. */
export const authTexts = {
  ...pageAuthTexts,
  loggedIn: "Signed in",
  stepOver: "Enter your email and password again: this sign-in has expired.",
  oneCode: "Send either a code or a recovery code",
  loggedOut: "Signed out",
  registered: "Registration successful. Please check your email to verify your account.",
  resent: "Verification email sent! Please check your inbox.",
  resetMailSent: "Password reset instructions have been sent to your email.",
  resetInvalid: "Invalid or expired reset link",
  signInNeedsReset: `${signInsFailed} Please reset your password.`,
  setupWorks: "This setup link works",
  setupInvalid: "Invalid or expired setup link",
  setupDone: "The administrator account is ready",
  emailTaken: "A user with this email address already exists",
} as const;

/** Why someone can't register, by the policy in force. */
export const registrationTexts = {
  domains: (domains: readonly string[]) =>
    `Registration is open to addresses at ${new Intl.ListFormat("en", { type: "disjunction" }).format(domains)}.`,
  invite: () => "Registration is by invitation only.",
  closed: () => "Registration is closed.",
} as const;

/** Said after too many wrong passwords; `waitS` is in seconds. */
export const tooManyAttempts = (waitS: number): string => `${signInsFailed} ${tryAgainIn(waitS)}`;

/** Whether a refusal is for wrong passwords: a new one ends that wait, and no other. */
export const isForFailedSignIns = (message: string): boolean => message.startsWith(signInsFailed);

/** Sentences of the calls by which people look after their own account. */
export const accountTexts = {
  renamed: "Your name was changed",
  passwordChanged: "Your password was changed, and all other devices were signed out",
  passwordWrong: "This is not your current password",
  passwordSame: "Please choose a password other than your current one",
  passwordAbsent:
    "Your account has no password yet. To set one, request a link with “Forgot password” on the sign-in page.",
  changedMeanwhile: "Your account was changed in the meantime. Please check it and try again.",
  sessionEnded: "The device was signed out",
  othersEnded: "All other devices were signed out",
  deleted: "Your account was deleted",
  confirmed: "Confirmed",
  confirmationEnded: "You will be asked to confirm it's you again",
  codeWanted: "Enter a code from your authenticator app to confirm this",
  passkeyWanted: "Use your passkey to confirm this",
  providerWanted: "Sign in with your provider again, with your second factor there, to confirm this",
  passwordWanted: "Please enter your password to confirm",
  providerCannotConfirm: (provider: string) =>
    `${provider} doesn't say when you signed in there, so it can't confirm that it's you. Sign out and sign in again instead.`,
  notLinked: (provider: string) => `${provider} is not linked to your account`,
  signInAgain: "Please sign in again first: without a password, this needs a sign-in in the last ten minutes",
} as const;

/** Said when a provider is linked that is linked already; `provider` is its name for people. */
export const alreadyLinked = (provider: string): string => `${provider} is already linked to your account`;

/** Said once a provider is unlinked. */
export const unlinked = (provider: string): string => `${provider} was unlinked from your account`;

/** Said after too many wrong passwords of someone who is signed in; `waitS` is in seconds. */
export const tooManyPasswords = (waitS: number): string => `Too many wrong passwords. ${tryAgainIn(waitS)}`;

/** Said to servers that send too many tokens that are no good; `waitS` is in seconds. */
export const tooManyTokens = (waitS: number): string => `Too many invalid tokens. ${tryAgainIn(waitS)}`;

/** Said after too many wrong codes of a second factor; `waitS` is in seconds. */
export const tooManyCodes = (waitS: number): string => `Too many wrong codes. ${tryAgainIn(waitS)}`;

/** Sentences of the requests about second factors. */
export const factorTexts = {
  enabled: "Your authenticator app is enabled",
  removed: "Your authenticator app was removed",
  setupExpired: "This setup has expired. Start again with a new key.",
  factorWanted: "Set up an authenticator app or add a passkey first",
  notOffered: "Two-factor authentication is turned off on this server",
} as const;

/** Sentences of the requests about invitations. */
export const invitationTexts = {
  invited: (results: readonly { status: "invited" | "skipped" }[]) => {
    const invited = results.filter(({ status }) => status === "invited").length;
    const skipped = results.length - invited;
    const words = invited === 1 ? "1 invitation was emailed" : `${invited} invitations were emailed`;
    return skipped === 0 ? words : `${words}, ${skipped} skipped`;
  },
  resent: "The invitation was emailed again",
  withdrawn: "The invitation was withdrawn",
  accepted: "Your account is ready",
  oneWay: "Send a password or a passkey, not both",
  acceptedAlready: "This invitation was accepted",
  withdrawnAlready: "This invitation was withdrawn; invite them again",
  unknown: "This invitation doesn't exist",
  invalid: "This invitation is invalid, was used or has expired",
} as const;

/** Sentences of the requests about a change of email address. */
export const emailChangeTexts = {
  begun:
    "Check the inbox of the new address: your email address changes once you follow the link in our email",
  set: "A link was emailed to the new address; the address changes once it is followed",
  outcomes: {
    waiting: "Thank you. The change is waiting for the other address.",
    changed: "The email address was changed",
    stopped: "The change of the email address was stopped",
    undone: "The former email address was restored",
  },
  same: "This is already your email address",
  anotherWaits: "Another change is waiting; stop it first",
  noneWaits: "No change of your email address is waiting",
  invalid: "This link is invalid, was used or has expired",
} as const;

/** Sentences of the requests of the link in the email about a linked provider. */
export const linkUndoTexts = {
  done: "The sign-in method was unlinked, and all devices were signed out",
  invalid: "This link is invalid, was used or has expired",
} as const;

/** Said after too many changes of an email address; `waitS` is in seconds. */
export const tooManyEmailChanges = (waitS: number): string =>
  `You can change your email address three times a day. ${tryAgainIn(waitS)}`;

/** Said after too many emailed invitations; `waitS` is in seconds. */
export const tooManyInvitations = (waitS: number): string =>
  `Too many invitations were emailed. ${tryAgainIn(waitS)}`;

/** Sentences of the calls by which accounts are looked after. */
export const userTexts = {
  added: "The user was added",
  roleChanged: "The role was changed; the user has to sign in again",
  roleKept: "The user already has this role",
  disabled: "The account was disabled and signed out everywhere",
  enabled: "The account was enabled",
  deleted: "The account was deleted",
  secondFactorReset: "Two-factor authentication was reset, and the user was signed out everywhere",
  noSecondFactor: "This user has no second factor",
  sessionsEnded: "The user was signed out everywhere",
  passwordSet: "The password was set, and the user was signed out everywhere",
  resetMailed: "A link to choose a new password was emailed",
  resetOfDisabled: "This account is disabled; enable it first",
  verified: "The account was created, and a link to choose a password was emailed",
  registrationRemoved: "The registration was removed",
  severalRegistrations: "This email address has several registrations; choose one by its id",
  unknown: "This user doesn't exist",
  registrationUnknown: "This registration doesn't exist; it may be verified already, or have expired",
} as const;
