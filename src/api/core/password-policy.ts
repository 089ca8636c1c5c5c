import { authTexts } from "#contract/auth-texts.ts";
import { isPersonal, type PasswordOwner } from "#contract/personal-password.ts";
import { validationError } from "./app-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** `field`: the one that the password was typed into, where that is not `password`. */
type Owner = PasswordOwner & { field?: string };

/**
 * Refuses a new password that is among the most common ones, or personal ({@link isPersonal}). What it must be composed
 * of is nobody's business. Length is checked at the door. Throws a 422 on the field. Source: NIST SP 800-63B §3.1.1.2.
 */
export const checkNewPassword = async (password: string, owner: Owner): Promise<void> => {
  const complaint = (message: string) => validationError([{ path: owner.field ?? "password", message }]);
  if (await isCommonPassword(password)) throw complaint(authTexts.passwordCommon);
  if (isPersonal(password, owner)) throw complaint(authTexts.passwordPersonal);
};
