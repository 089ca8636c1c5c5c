import { emailComplaint, nameComplaint } from "#contract/account-rules.ts";
import { NewPasswordFields, newPasswordRules } from "#ui/components/password-field.tsx";
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
      <NewPasswordFields labels={[texts.password, texts.confirmPassword]} errors={errors} />
    </>
  );
};

/** The fields of a new account. */
type AccountFieldName = "name" | "email" | "password" | "confirmPassword";

/** What the fields of a new account must be; the server applies the same rules. */
export const newAccountRules: FormRules<AccountFieldName> = {
  name: nameComplaint,
  email: emailComplaint,
  ...newPasswordRules,
};
