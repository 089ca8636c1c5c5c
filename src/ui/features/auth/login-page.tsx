import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { emailComplaint } from "#contract/account-rules.ts";
import { isForFailedSignIns, pageAuthTexts } from "#contract/auth-texts.ts";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { type FormProblem, type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { keepPageToken, originFrom, wasSignedOut } from "#ui/lib/page-token.ts";
import { setUser } from "#ui/lib/session.ts";
import { useHydrated } from "#ui/lib/use-hydrated.ts";
import { readArrival, useLeaveWhenSignedIn } from "./arrivals.ts";
import { AuthCard, SignedUpAs, TextLink } from "./auth-card.tsx";
import { SocialButtons } from "./social-buttons.tsx";
import { authScreenTexts as texts } from "./texts.ts";

const rules: FormRules<"email" | "password"> = {
  email: emailComplaint,
  password: (value) => (value === "" ? pageAuthTexts.passwordRequired : null),
};

/** Sign In: with a password; a person who is signed in already is sent on. */
export const LoginPage = () => {
  useLeaveWhenSignedIn(originFrom);
  const [search] = useSearchParams();
  const { formProps, errors, problem, isBusy, values } = useForm({
    rules,
    send: async ({ email, password }) => {
      const { user } = await client.auth.login({ email: email.trim(), password });
      // It is their account: no one who finds this tab open later may set another password.
      keepPageToken(null, "/reset-password");
      setUser(user);
    },
    explain: (error) => failureText(error, pageAuthTexts.loginFailed, pageAuthTexts.networkFailed),
  });
  const isHydrated = useHydrated();
  const state = useHistoryState<unknown>();
  const arrival = readArrival(isHydrated ? state : null);
  const [typed, setTyped] = useState<string | null>(null);
  const email = typed ?? arrival.email;
  const hasBeenSignedOut = isHydrated && wasSignedOut.isIn(state);
  const hasFailedElsewhere = search.get("error") === "auth_failed";
  return (
    <AuthCard title={texts.signIn} lead={texts.signInLead} footer={<LoginFooter />}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <LoginProblem problem={problem} email={values.email} />}
          {/* Made ahead of time it is in every sign-in page, and shows by the address alone. */}
          {problem === null && (hasFailedElsewhere || !isHydrated) && (
            <Alert
              severity="error"
              title={pageAuthTexts.authFailed}
              className={cn(!isHydrated && "hidden auth-failed:flex")}
            >
              {texts.authFailedNext}
            </Alert>
          )}
          {problem === null && hasBeenSignedOut && <Alert severity="warning">{texts.wasSignedOut}</Alert>}
          {problem === null && arrival.signedUpAs !== null && <SignedUpAs name={arrival.signedUpAs} />}
          <Field label={texts.loginEmail} error={errors.email}>
            <Input
              name="email"
              type="email"
              inputMode="email"
              autoComplete="username"
              required
              defaultValue={arrival.email}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </Field>
          <PasswordField
            label={texts.password}
            name="password"
            autoComplete="current-password"
            error={errors.password}
            canReveal
          />
          <p className="-my-3 justify-self-end text-[0.8125rem]">
            <TextLink href="/forgot-password" state={{ email }}>
              {texts.forgotLink}
            </TextLink>
          </p>
          <Button type="submit" size="lg" isBusy={isBusy}>
            {texts.signIn}
          </Button>
        </fieldset>
      </form>
      <SocialButtons />
    </AuthCard>
  );
};

const LoginProblem = ({ problem, email }: { problem: FormProblem; email: string }) => {
  if (problem.cause instanceof ApiError && isForFailedSignIns(problem.cause.message)) {
    return <TooOften message={problem.message} email={email} />;
  }
  if (!(problem.cause instanceof ApiError && problem.cause.needsVerification)) {
    return <Alert severity="error">{problem.message}</Alert>;
  }
  return (
    <Alert
      severity="warning"
      title={pageAuthTexts.verifyFirst}
      actions={
        <Link href="/verify" state={{ email }} className={buttonVariants({ variant: "outline", size: "sm" })}>
          {texts.verifyPromptLink}
        </Link>
      }
    >
      {texts.verifyPrompt}
    </Alert>
  );
};

const TooOften = ({ message, email }: { message: string; email: string }) => (
  <Alert
    severity="warning"
    title={message}
    actions={
      <Link
        href="/forgot-password"
        state={{ email }}
        className={buttonVariants({ variant: "outline", size: "sm" })}
      >
        {texts.waitResetLink}
      </Link>
    }
  >
    {texts.waitOrReset}
  </Alert>
);

const LoginFooter = () => (
  <>
    <p>
      {texts.newHere} <TextLink href="/register">{texts.createAccount}</TextLink>
    </p>
    <p>
      {texts.noMail} <TextLink href="/verify">{texts.resendLink}</TextLink>
    </p>
  </>
);
