import { useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { emailComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { Form } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
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
  const arrival = useArrival();
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
        <EmailField
          label={texts.loginEmail}
          autoComplete="username"
          defaultValue={arrival.email}
          error={errors.email}
        />
      </Form>
    </AuthCard>
  );
};

/**
 * Asks for a new verification email; the address is filled in after a refused sign-in. After registering the page says
 * first that an email is on its way: to ask for another one is what to do if it does not come.
 */
export const VerifyPage = () => {
  const arrival = useArrival();
  const [sent, setSent] = useState<string | null>(null);
  const { errors, ...form } = useForm({
    rules: { email: emailComplaint },
    send: async ({ email }) => {
      setSent((await client.auth.resendVerification({ email: email.trim() })).message);
      setIsClosed(false);
    },
    explain: (error) => failureText(error, pageAuthTexts.resendFailed, pageAuthTexts.networkFailed),
  });
  const [isClosed, setIsClosed] = useState(false);
  const isExpected = arrival.message !== null && arrival.email !== "";
  const good = isClosed || form.problem !== null ? null : (sent ?? arrival.message);
  return (
    <AuthCard
      title={texts.verify}
      lead={isExpected ? texts.verifySent(arrival.email) : texts.verifyLead}
      leadClassName="wrap-anywhere"
      footer={<TextLink href="/login">{texts.backToLogin}</TextLink>}
    >
      <Form form={form}>
        {good !== null && <Alert onClose={() => setIsClosed(true)}>{good}</Alert>}
        {isExpected && <p className="text-muted-foreground">{texts.verifyAgain}</p>}
        <EmailField
          label={texts.email}
          autoComplete="email"
          defaultValue={arrival.email}
          error={errors.email}
        />
        <Button type="submit" size="lg" variant={isExpected ? "outline" : "default"} isBusy={form.isBusy}>
          {texts.sendVerification}
        </Button>
      </Form>
    </AuthCard>
  );
};

const useArrival = () => {
  const state = useHistoryState<unknown>();
  return readArrival(useHydrated() ? state : null);
};

type EmailFieldProps = {
  label: string;
  autoComplete: string;
  defaultValue: string;
  error: string | undefined;
};

const EmailField = ({ label, error, ...input }: EmailFieldProps) => (
  <Field label={label} error={error}>
    <Input name="email" type="email" inputMode="email" required {...input} />
  </Field>
);
