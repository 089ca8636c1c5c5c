import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { isPersonal, type PasswordOwner } from "#contract/password-strength.ts";
import { validationError } from "./app-error.ts";

/** `field`: the one that the password was typed into, where that is not `password`. */
type Owner = PasswordOwner & { field?: string };

/**
 * Refuses a new password that is one of the most common ones, or personal ({@link isPersonal}). There are no rules of
 * composition. The length is checked when the request is parsed. Throws a 422 on the field. Source: NIST SP 800-63B
 * §3.1.1.2.
 */
export const checkNewPassword = async (password: string, owner: Owner): Promise<void> => {
  const complaint = (message: string) => validationError([{ path: owner.field ?? "password", message }]);
  if (await isCommonPassword(password)) throw complaint(authTexts.passwordCommon);
  if (isPersonal(password, owner)) throw complaint(authTexts.passwordPersonal);
};

/** Whether a password, in any case, is one of the 49,000 most common ones. Source: zxcvbn's dictionary. */
const isCommonPassword = async (password: string): Promise<boolean> =>
  (await commonPasswords()).has(password.toLowerCase());

/** The most common passwords that are long enough to be chosen, in lower case. */
export const commonPasswords = (): Promise<ReadonlySet<string>> => {
  loading ??= load();
  return loading;
};

let loading: Promise<ReadonlySet<string>> | null = null;

// Unpacking the dictionary takes some 20 ms: the first new password pays it, not the start.
const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((word) => word.length >= limits.passwordMinLength));
};
