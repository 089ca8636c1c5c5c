import { useState } from "react";
import { PasswordField } from "#ui/components/password-field.tsx";
import { StrengthMeter } from "#ui/components/strength-meter.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import type { FormErrors } from "#ui/components/ui/form-rules.ts";
import { Input } from "#ui/components/ui/input.tsx";
import type { AccountFieldName } from "./new-account-rules.ts";
import { authScreenTexts as texts } from "./texts.ts";

/** The fields of a new account: name, address, password with its strength, and the password again. */
export const AccountFields = ({ errors }: { errors: FormErrors<AccountFieldName> }) => {
  const [password, setPassword] = useState("");
  return (
    <>
      <Field label={texts.name} error={errors.name}>
        <Input name="name" autoComplete="name" required />
      </Field>
      <Field label={texts.email} error={errors.email}>
        <Input name="email" type="email" inputMode="email" autoComplete="email" required />
      </Field>
      <PasswordField
        label={texts.password}
        name="password"
        autoComplete="new-password"
        error={errors.password}
        canReveal
        onType={setPassword}
      />
      <StrengthMeter password={password} />
      <PasswordField
        label={texts.confirmPassword}
        name="confirmPassword"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
    </>
  );
};
