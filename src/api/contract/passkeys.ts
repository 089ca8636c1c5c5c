import { type Complaint, hasUnprintable, hasVisible } from "./account-rules.ts";
import { fieldTexts } from "./errors.ts";
import { pageLimits } from "./limits.ts";

/**
 * The host that passkeys of pages at `url` belong to, or `null` where browsers offer none: at IP addresses, and over plain http
 * off this machine. Source: Web Authentication §5.1.3, and "potentially trustworthy" hosts of Secure Contexts §3.1.
 */
export const passkeyHost = (url: string): string | null => {
  const { protocol, hostname } = new URL(url);
  if (/^[\d.]+$|^\[/.test(hostname)) return null;
  return protocol === "https:" || /(?:^|\.)localhost$/.test(hostname) ? hostname : null;
};

/** Complaint about the name of a passkey: empty, too long, or with characters that cannot be seen. */
export const passkeyNameComplaint = (name: string): Complaint => {
  const value = name.trim();
  if (value === "") return passkeyTexts.nameRequired;
  if (value.length > pageLimits.passkeyNameLength) return passkeyTexts.nameTooLong;
  return hasUnprintable(value) || !hasVisible(value) ? fieldTexts.unprintable : null;
};

/** Sentences of the requests about passkeys. */
export const passkeyTexts = {
  notOffered: "Passkeys need a host name and https in APP_URL",
  expired: "This took too long, or was used already. Please try again.",
  unknown: "This passkey is not known here. It may have been removed.",
  known: "This passkey is already part of an account",
  blocked:
    "This passkey is blocked because it may have been copied. Add a new one on your account page, then remove this one.",
  passwordFirst: "Your password was reset. Sign in with the new password first, then with this passkey.",
  tooMany: `An account can have at most ${pageLimits.passkeysByUser} passkeys. Remove one first.`,
  nameRequired: "Please enter a name for the passkey",
  nameTooLong: `Please use at most ${pageLimits.passkeyNameLength} characters`,
  renamed: "The passkey was renamed",
  removed: "The passkey was removed",
} as const;
