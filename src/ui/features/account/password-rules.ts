import { passwordComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { FormRules } from "#ui/components/ui/form-rules.ts";

/** The fields of a change of password. */
export type PasswordFieldName = "currentPassword" | "newPassword" | "confirmPassword";

/** What they must be; whether the current one is right only the server knows. */
export const passwordRules: FormRules<PasswordFieldName> = {
  currentPassword: (value) => (value === "" ? pageAuthTexts.passwordRequired : null),
  newPassword: passwordComplaint,
  confirmPassword: (value, { newPassword }) => (value === newPassword ? null : pageAuthTexts.passwordsDiffer),
};
