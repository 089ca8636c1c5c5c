import { useLocation } from "wouter";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { Form } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { originFrom } from "#ui/lib/page-token.ts";
import { AccountFields, newAccountRules } from "./account-fields.tsx";
import { useLeaveWhenSignedIn } from "./arrivals.ts";
import { AuthCard, TextLink } from "./auth-card.tsx";
import { closedNotice, SocialButtons, useRegistration } from "./social-buttons.tsx";
import { authScreenTexts as texts } from "./texts.ts";

/** Create Account; does not sign in, but leads to the page that tells where the verification email went. */
export const RegisterPage = () => {
  useLeaveWhenSignedIn(originFrom);
  const registration = useRegistration();
  const closed = closedNotice(registration);
  const [, navigate] = useLocation();
  const { errors, ...form } = useForm({
    rules: newAccountRules,
    send: async ({ name, email, password }) => {
      const address = email.trim();
      const { message } = await client.auth.register({ name: name.trim(), email: address, password });
      navigate("/verify", { state: { email: address, message } });
    },
    explain: (error) => failureText(error, pageAuthTexts.registerFailed),
  });
  return (
    <AuthCard
      title={texts.createAccount}
      lead={closed === null ? (registration.notice ?? texts.createAccountLead) : undefined}
      footer={
        <p>
          {texts.haveAccount} <TextLink href="/login">{texts.signIn}</TextLink>
        </p>
      }
    >
      {closed !== null ? (
        <Alert severity="info" title={closed}>
          {texts.registrationClosedNext}
        </Alert>
      ) : (
        <>
          <Form form={form} action={texts.createAccount} isWide>
            <AccountFields errors={errors} />
          </Form>
          <SocialButtons />
        </>
      )}
    </AuthCard>
  );
};
