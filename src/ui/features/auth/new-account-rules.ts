import { emailComplaint, nameComplaint, passwordComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { FormRules } from "#ui/components/ui/form-rules.ts";

/** The fields of a new account. */
export type AccountFieldName = "name" | "email" | "password" | "confirmPassword";

/** What the fields of a new account must be; the server applies the same rules. */
export const newAccountRules: FormRules<AccountFieldName> = {
  name: nameComplaint,
  email: emailComplaint,
  password: passwordComplaint,
  confirmPassword: (value, { password }) => (value === password ? null : pageAuthTexts.passwordsDiffer),
};
