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
  passwordPersonal: "Please choose a password that is not your name, your email or the product's name",
} as const;

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
