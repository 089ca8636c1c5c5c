import { NewPasswordField } from "#ui/components/new-password-field.tsx";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import type { FormErrors } from "#ui/components/ui/form-rules.ts";
import { Input } from "#ui/components/ui/input.tsx";
import type { AccountFieldName } from "./new-account-rules.ts";
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
