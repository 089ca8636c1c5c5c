import { useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { emailComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { Form } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { useHydrated } from "#ui/lib/use-load.ts";
import { readArrival } from "./arrivals.ts";
import { AuthCard, TextLink } from "./auth-card.tsx";
import { authScreenTexts as texts } from "./texts.ts";

/** Asks for an email with a link that sets a new password; what was typed at the sign-in is filled in already. */
export const ForgotPasswordPage = () => {
  const state = useHistoryState<unknown>();
  const arrival = readArrival(useHydrated() ? state : null);
  const [sent, setSent] = useState<string | null>(null);
  const { errors, ...form } = useForm({
    rules: { email: emailComplaint },
    send: async ({ email }) => setSent((await client.auth.forgotPassword({ email: email.trim() })).message),
    explain: (error) => failureText(error, pageAuthTexts.resetMailFailed),
  });
  return (
    <AuthCard
      title={texts.forgot}
      lead={texts.forgotLead}
      footer={<TextLink href="/login">{texts.backToLogin}</TextLink>}
    >
      <Form form={form} action={texts.sendReset} isWide>
        {form.problem === null && sent !== null && <Alert title={sent}>{texts.forgotNothing}</Alert>}
        <Field label={texts.loginEmail} error={errors.email}>
          <Input
            name="email"
            type="email"
            inputMode="email"
            autoComplete="username"
            required
            defaultValue={arrival.email}
          />
        </Field>
      </Form>
    </AuthCard>
  );
};
