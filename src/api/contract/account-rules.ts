import { authTexts } from "./auth-texts.ts";
import { limits } from "./limits.ts";

/** A complaint to show beside a field, or `null` when the value will do. */
export type Complaint = string | null;

// One address, as browsers check `type=email` (HTML Living Standard), with a dotted domain required.
const emailPattern =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u;

// Control, separator and invisible direction characters: never part of a name or an address.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Complaint about an address: empty, longer than 254 characters or not of the form `name@domain.tld`. */
export const emailComplaint = (email: string): Complaint => {
  const value = email.trim();
  if (value === "") return authTexts.emailRequired;
  if (value.length > limits.emailLength) return authTexts.emailTooLong;
  if (!emailPattern.test(value) || value.includes("..")) return authTexts.emailInvalid;
  return null;
};

/** Complaint about a person's name: empty, over 100 characters, or with control or direction characters. */
export const nameComplaint = (name: string): Complaint => {
  const value = name.trim();
  if (value === "") return authTexts.nameRequired;
  if (isLongerThan(value, limits.nameLength)) return authTexts.nameTooLong;
  if (unprintable.test(value)) return authTexts.nameUnprintable;
  return null;
};

/** Complaint about a new password's length: 8 to 128 characters. Common passwords are the server's to refuse. */
export const passwordComplaint = (password: string): Complaint => {
  if (password === "") return authTexts.passwordRequired;
  if (isLongerThan(password, limits.passwordMaxLength)) return authTexts.passwordTooLong;
  return isLongerThan(password, limits.passwordMinLength - 1) ? null : authTexts.passwordTooShort;
};

/** Whether a text has more than `most` characters. Overlong texts are not taken apart: that would take its time. */
export const isLongerThan = (text: string, most: number): boolean =>
  // A character takes one or two UTF-16 units.
  text.length > 2 * most || (text.length > most && [...text].length > most);

/** The form in which two addresses are the same account: NFKC, lower case, surrounding space removed. */
export const emailKey = (email: string): string => email.trim().normalize("NFKC").toLowerCase();
