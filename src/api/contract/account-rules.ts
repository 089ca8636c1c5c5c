import { pageAuthTexts } from "./auth-texts.ts";
import { pageLimits } from "./limits.ts";

/** A complaint to show beside a field, or `null` when the value will do. */
export type Complaint = string | null;

// One address, as browsers check `type=email` (HTML Living Standard), with a dotted domain required.
const emailPattern =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u;

// What shows nothing, breaks the line, turns the text around it, means something else everywhere or is no character.
const unprintable =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

// Persian, Indic scripts and emoji need joiners between characters and style marks behind them.
const joined =
  /([\p{L}\p{M}\p{N}\p{Emoji}])[\ufe0e\ufe0f]?(?:[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}]))?/gu;

/** Complaint about an address: empty, longer than 254 characters or not of the form `name@domain.tld`. */
export const emailComplaint = (email: string): Complaint => {
  const value = email.trim();
  if (value === "") return pageAuthTexts.emailRequired;
  if (value.length > pageLimits.emailLength) return pageAuthTexts.emailTooLong;
  if (!emailPattern.test(value) || value.includes("..")) return pageAuthTexts.emailInvalid;
  // Some letters show nothing: two addresses that look the same must not be two accounts.
  if (unprintable.test(value)) return pageAuthTexts.emailInvalid;
  // What reads differently once it is normalised is another mailbox, and must not be taken for the same account.
  if (value !== value.normalize("NFKC")) return pageAuthTexts.emailInvalid;
  return asciiHost(value.slice(value.lastIndexOf("@") + 1)) === null ? pageAuthTexts.emailInvalid : null;
};

/** The email addresses in a text, each once, however they are separated: `Ada <ada@b.example>, bob@b.example`. */
export const emailsIn = (text: string): string[] => [
  ...new Set(text.match(/[^\s<>,;:"'()]+@[^\s<>,;:"'()]+/g) ?? []),
];

/**
 * The number of the first line with text but without an email address, from 1; `null` if there is none. The first line may
 * be the headings of columns.
 */
export const lineWithoutEmail = (text: string): number | null => {
  const at = text
    .split("\n")
    .findIndex((line, index) => index > 0 && line.trim() !== "" && emailsIn(line).length === 0);
  return at === -1 ? null : at + 1;
};

/** Complaint about a person's name: empty, over 100 characters, or with characters that cannot be seen. */
export const nameComplaint = (name: string): Complaint => {
  const value = name.trim();
  if (value === "") return pageAuthTexts.nameRequired;
  if (isLongerThan(value, pageLimits.nameLength)) return pageAuthTexts.nameTooLong;
  return hasUnprintable(value) || !hasVisible(value) ? pageAuthTexts.nameUnprintable : null;
};

/** Whether an email address is of one of the domains, which are in lower case. */
export const isOfDomain = (email: string, domains: readonly string[]): boolean =>
  domains.includes(
    email
      .slice(email.lastIndexOf("@") + 1)
      .trim()
      .toLowerCase(),
  );

/**
 * Whether a text holds a character that shows nothing, breaks the line, turns the text around it or is none. Joiners
 * between letters and in emoji are fine.
 */
export const hasUnprintable = (text: string): boolean => unprintable.test(text.replace(joined, "$1"));

/** Whether there is anything to see in a text. */
export const hasVisible = (text: string): boolean => visible.test(text);

/**
 * The texts anywhere in a value of JSON that can't be shown as they are, by their dotted paths. `isBlank`: there is
 * nothing to see in it; otherwise it {@link hasUnprintable | holds what shows nothing}.
 */
export const unshownTexts = (value: unknown, path = ""): { path: string; isBlank: boolean }[] => {
  if (typeof value === "string")
    return hasUnprintable(value) || !hasVisible(value) ? [{ path, isBlank: !hasUnprintable(value) }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    unshownTexts(inner, path === "" ? key : `${path}.${key}`),
  );
};

/** Complaint about a new password's length: 8 to 128 characters. Common passwords are the server's to refuse. */
export const passwordComplaint = (password: string): Complaint => {
  if (password === "") return pageAuthTexts.passwordRequired;
  if (isLongerThan(password, pageLimits.passwordMaxLength)) return pageAuthTexts.passwordTooLong;
  return isLongerThan(password, pageLimits.passwordMinLength - 1) ? null : pageAuthTexts.passwordTooShort;
};

/** Whether a text has more than `most` characters. Overlong texts are not taken apart: that would take its time. */
export const isLongerThan = (text: string, most: number): boolean =>
  // A character takes one or two UTF-16 units.
  text.length > 2 * most || (text.length > most && [...text].length > most);

/**
 * The form in which two addresses are the same account: NFKC, lower case, surrounding space removed, the host as it
 * is in the DNS, so that its two spellings are one.
 */
export const emailKey = (email: string): string => {
  const folded = email.trim().normalize("NFKC").toLowerCase();
  const at = folded.lastIndexOf("@") + 1;
  return folded.slice(0, at) + (asciiHost(folded.slice(at)) ?? folded.slice(at));
};

/** An international host name in ASCII (UTS #46), or `null` when it is none, as an IPv4 address is. */
const asciiHost = (domain: string): string | null => {
  const url = `http://${domain}/`;
  if (!URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return /^[\d.]+$/.test(hostname) ? null : hostname;
};
