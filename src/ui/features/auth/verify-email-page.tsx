import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Verified } from "#api/modules/auth/contract.ts";
import { nameComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { timers } from "#contract/limits.ts";
import { Form } from "#ui/components/form.tsx";
import { NewPasswordFields, newPasswordRules } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { useAddressToken } from "./arrivals.ts";
import { AuthCard, SignedUpAs } from "./auth-card.tsx";
import { authScreenTexts as texts } from "./texts.ts";

type Outcome =
  | { step: "verifying" }
  | { step: "choosing"; email: string }
  | { step: "verified"; account: Verified }
  | { step: "failed"; error: unknown };

/**
 * Uses the token of a verification email and tells how it went; without a token it leads to /verify. Where this browser did
 * not register, it asks for name and password: a link proves the address alone.
 */
export const VerifyEmailPage = () => {
  const { outcome, settle, retry, token } = useVerification();
  if (outcome.step === "choosing")
    return (
      <AuthCard title={texts.choosePassword} lead={texts.choosePasswordLead}>
        <ChooseForm token={token} email={outcome.email} onSettled={settle} />
      </AuthCard>
    );
  return (
    <AuthCard title={texts.verifyEmail}>
      {/* As high as the longest outcome, so that nothing moves once it is known. */}
      <div className="grid min-h-58 content-center">
        {outcome.step === "verifying" && (
          <p
            role="status"
            className="flex items-center justify-center gap-3 py-6 text-muted-foreground noscript:hidden"
          >
            <Spinner className="size-5" />
            {pageAuthTexts.verifying}
          </p>
        )}
        {outcome.step === "verified" && <Done account={outcome.account} />}
        {outcome.step === "failed" && <Failure error={outcome.error} onRetry={retry} />}
      </div>
    </AuthCard>
  );
};

/** Only where this browser had registered there is a token for another password, and a name that may be a stranger's. */
const isOwn = ({ resetToken }: Verified): boolean => resetToken !== undefined;

const arrivalAt = (account: Verified) => ({
  email: account.email,
  ...(isOwn(account) ? { signedUpAs: account.name } : {}),
});

const Done = ({ account }: { account: Verified }) => {
  const [, navigate] = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/login", { state: arrivalAt(account) }), timers.redirectMs);
    return () => clearTimeout(timer);
  }, [account, navigate]);
  return (
    <div className="grid gap-5">
      <Alert>{isOwn(account) ? pageAuthTexts.verified : pageAuthTexts.accountCreated}</Alert>
      {isOwn(account) && <SignedUpAs name={account.name} />}
      <Link
        href="/login"
        state={arrivalAt(account)}
        className={buttonVariants({ variant: "outline", size: "lg" })}
      >
        {texts.toLogin}
      </Link>
    </div>
  );
};

const rules: FormRules<"name" | "password" | "confirmPassword"> = {
  name: nameComplaint,
  ...newPasswordRules,
};

type ChooseFormProps = { token: string; email: string; onSettled: (outcome: Outcome) => void };

const ChooseForm = ({ token, email, onSettled }: ChooseFormProps) => {
  const { errors, ...form } = useForm({
    rules,
    send: async ({ name, password }) => {
      try {
        const chosen = { name: name.trim(), password };
        const { data } = await client.auth.finishVerification({ token, ...chosen });
        onSettled({ step: "verified", account: data });
      } catch (error) {
        if (!isTokenDead(error)) throw error;
        onSettled({ step: "failed", error });
      }
    },
    explain: (error) => failureText(error, texts.createFailed),
  });
  return (
    <Form form={form} action={texts.finishAccount} isWide>
      <Field label={texts.name} error={errors.name}>
        <Input name="name" autoComplete="name" required />
      </Field>
      <NewPasswordFields
        labels={[texts.newPassword, texts.confirmPassword]}
        errors={errors}
        owner={{ email }}
      />
    </Form>
  );
};

const isTokenDead = (error: unknown): boolean => error instanceof ApiError && error.code === "TOKEN_INVALID";

const Failure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  return isUndecided(error) ? (
    <div className="grid gap-5">
      <Alert severity="error">{failureText(error, pageAuthTexts.verificationFailed)}</Alert>
      <Button size="lg" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
      <Link href="/login" className={buttonVariants({ variant: "outline", size: "lg" })}>
        {texts.backToLogin}
      </Link>
    </div>
  ) : (
    <div className="grid gap-5">
      <Alert severity="error" title={failureText(error, pageAuthTexts.verificationInvalid)}>
        {texts.confirmedAlready}
      </Alert>
      <Link href="/login" className={buttonVariants({ size: "lg" })}>
        {texts.signIn}
      </Link>
      <Link href="/verify" className={buttonVariants({ variant: "outline", size: "lg" })}>
        {texts.newLink}
      </Link>
    </div>
  );
};

// Without an answer the token may still be good; any other failure has found it useless.
const isUndecided = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);

const useVerification = () => {
  const token = useAddressToken();
  const [, navigate] = useLocation();
  const [outcome, setOutcome] = useState<Outcome>({ step: "verifying" });
  // The token works once, but an effect may run twice.
  const sent = useRef<string | null>(null);

  const settle = (next: Outcome) => {
    if (next.step === "verified") {
      keepPageToken(null);
      if (next.account.resetToken !== undefined) keepPageToken(next.account.resetToken, "/reset-password");
    }
    if (next.step === "failed" && !isUndecided(next.error)) keepPageToken(null);
    setOutcome(next);
  };

  const verify = async (secret: string) => {
    setOutcome({ step: "verifying" });
    try {
      const { data } = await client.auth.finishVerification({ token: secret });
      settle({ step: "verified", account: data });
    } catch (error) {
      const email = addressToFinish(error);
      settle(email === null ? { step: "failed", error } : { step: "choosing", email });
    }
  };

  useEffect(() => {
    if (token === null) navigate("/verify", { replace: true });
    if (typeof token !== "string" || sent.current === token) return;
    sent.current = token;
    void verify(token);
  });

  return { outcome, settle, retry: () => void verify(token ?? ""), token: token ?? "" };
};

/** The address that a link proved, where `PASSWORD_WANTED` says that its account lacks the rest; `null` for other failures. */
const addressToFinish = (error: unknown): string | null => {
  if (!(error instanceof ApiError) || error.code !== "PASSWORD_WANTED") return null;
  const { data } = error;
  const isTold = typeof data === "object" && data !== null && "email" in data;
  return isTold && typeof data.email === "string" ? data.email : "";
};
