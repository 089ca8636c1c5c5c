import { emailComplaint, nameComplaint, passwordComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { NewPasswordField, PasswordField } from "#ui/components/password-field.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import type { FormErrors, FormRules } from "#ui/components/ui/use-form.ts";
import { authScreenTexts as texts } from "./texts.ts";

/** The fields of a new account: name, address, password with its strength, and the password again. */
export const AccountFields = ({ errors }: { errors: FormErrors<AccountFieldName> }) => {
  return (
    <>
      <Field label={texts.name} error={errors.name}>
        <Input name="name" autoComplete="name" required />
      </Field>
      <Field label={texts.email} error={errors.email}>
        <Input name="email" type="email" inputMode="email" autoComplete="email" required />
      </Field>
      <NewPasswordField label={texts.password} name="password" error={errors.password} />
      <PasswordField
        label={texts.confirmPassword}
        name="confirmPassword"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
    </>
  );
};

/** The fields of a new account. */
type AccountFieldName = "name" | "email" | "password" | "confirmPassword";

/** What the fields of a new account must be; the server applies the same rules. */
export const newAccountRules: FormRules<AccountFieldName> = {
  name: nameComplaint,
  email: emailComplaint,
  password: passwordComplaint,
  confirmPassword: (value, { password }) => (value === password ? null : pageAuthTexts.passwordsDiffer),
};
