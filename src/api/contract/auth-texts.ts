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
  codeRequired: "Please enter a code",
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
  codeWanted: "Enter a code of your authenticator app to confirm this",
  passwordWanted: "Please enter your password to confirm",
  signInAgain: "Please sign in again first: without a password, this needs a sign-in in the last ten minutes",
} as const;

/** Said when a provider is linked that is linked already; `provider` is its name for people. */
export const alreadyLinked = (provider: string): string => `${provider} is already linked to your account`;

/** Said once a provider is unlinked. */
export const unlinked = (provider: string): string => `${provider} was unlinked from your account`;

/** Said after too many wrong passwords of someone who is signed in; `waitS` is in seconds. */
export const tooManyPasswords = (waitS: number): string => `Too many wrong passwords. ${tryAgainIn(waitS)}`;

/** Said after too many wrong codes of a second factor; `waitS` is in seconds. */
export const tooManyCodes = (waitS: number): string => `Too many wrong codes. ${tryAgainIn(waitS)}`;

/** Sentences of the requests about second factors. */
export const factorTexts = {
  enabled: "Your authenticator app is enabled",
  removed: "Your authenticator app was removed",
  setupExpired: "This setup has expired. Start again with a new key.",
  appWanted: "Set up an authenticator app first",
} as const;

/** Sentences of the calls by which accounts are looked after. */
export const userTexts = {
  added: "The user was added",
  roleChanged: "The role was changed; the user has to sign in again",
  roleKept: "The user already has this role",
  disabled: "The account was disabled and signed out everywhere",
  enabled: "The account was enabled",
  deleted: "The account was deleted",
  secondFactorReset: "The second factor was removed, and the user was signed out everywhere",
  noSecondFactor: "This user has no second factor",
  sessionsEnded: "The user was signed out everywhere",
  resetMailed: "A link to choose a new password was emailed",
  resetOfDisabled: "This account is disabled; enable it first",
  verified: "The email address is verified, and the account is ready",
  registrationRemoved: "The registration was removed",
  severalRegistrations: "This email address has several registrations; choose one by its id",
  unknown: "This user doesn't exist",
  registrationUnknown: "This registration doesn't exist; it may be verified already, or have expired",
} as const;
