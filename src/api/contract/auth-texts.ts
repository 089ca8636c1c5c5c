import { pageAuthTexts } from "./page-auth-texts.ts";
import { tryAgainIn } from "./try-again-in.ts";

const signInsFailed = "Too many failed sign-ins.";

/** Sentences of the account calls and screens. */
export const authTexts = {
  ...pageAuthTexts,
  loggedIn: "Signed in",
  loggedOut: "Signed out",
  registered: "Registration successful. Please check your email to verify your account.",
  resent: "Verification email sent! Please check your inbox.",
  resetMailSent: "Password reset instructions have been sent to your email.",
  resetInvalid: "Invalid or expired reset link",
  signInNeedsReset: `${signInsFailed} Please reset your password.`,
  setupWorks: "This set-up link works",
  setupInvalid: "Invalid or expired set-up link",
  setupDone: "The administrator account is ready",
  emailTaken: "A user with this email address exists already",
} as const;

/** Said after too many wrong passwords; `waitS` is in seconds. */
export const tooManyAttempts = (waitS: number): string => `${signInsFailed} ${tryAgainIn(waitS)}`;

/** Whether a refusal is for wrong passwords: a new one ends that wait, and no other. */
export const isForFailedSignIns = (message: string): boolean => message.startsWith(signInsFailed);
