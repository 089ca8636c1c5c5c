import { authTexts } from "#contract/auth-texts.ts";
import { validationError } from "./app-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** Whose password it will be, and the field it was typed into where that is not `password`. */
export type PasswordOwner = { name: string; email: string; field?: string };

/**
 * Refuses a new password that is among the most common ones, or that is nothing but its owner's name, address or the
 * product's name with digits and signs around. What it must be composed of is nobody's business. Length is checked
 * at the door. Throws a 422 on the field. Source: NIST SP 800-63B §3.1.1.2.
 */
export const checkNewPassword = async (password: string, owner: PasswordOwner): Promise<void> => {
  const complaint = (message: string) => validationError([{ path: owner.field ?? "password", message }]);
  if (await isCommonPassword(password)) throw complaint(authTexts.passwordCommon);
  if (isPersonal(password, owner)) throw complaint(authTexts.passwordPersonal);
};

const productWords = ["atrium"];

// Shorter words stand in any password by chance: "al" is no reason to refuse "almond-tree-42".
const shortestWord = 3;

const isPersonal = (password: string, { name, email }: PasswordOwner): boolean => {
  const [local = "", domain = ""] = fold(email).split("@");
  const words = [fold(name), fold(email), local, domain, ...productWords]
    .flatMap((word) => [word, word.replace(/[^\p{L}\p{N}]/gu, ""), ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= shortestWord)
    .sort((a, b) => b.length - a.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, " "), fold(password));
  return rest !== fold(password) && !/\p{L}/u.test(rest);
};

const fold = (text: string): string => text.trim().normalize("NFKC").toLowerCase();
