import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { timers } from "#contract/limits.ts";
import { pageAuthTexts } from "#contract/page-auth-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { verifyEmail } from "./api.ts";
import { AuthCard } from "./auth-card.tsx";
import { authScreenTexts as texts } from "./texts.ts";
import { useAddressToken } from "./use-address-token.ts";

type Outcome = { step: "verifying" } | { step: "verified" } | { step: "failed"; error: unknown };

/** Uses the token of a verification mail and tells how it went; without a token it leads to /verify. */
export const VerifyEmailPage = () => {
  const { outcome, retry } = useVerification();
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
        {outcome.step === "verified" && (
          <div className="grid gap-5">
            <Alert>{pageAuthTexts.verified}</Alert>
            <Link href="/login" className={buttonVariants({ variant: "outline", size: "lg" })}>
              {texts.toLogin}
            </Link>
          </div>
        )}
        {outcome.step === "failed" && <Failure error={outcome.error} onRetry={retry} />}
      </div>
    </AuthCard>
  );
};

const Failure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  // Without an answer the token may still be good; any answer has used it up or found it useless.
  const isUndecided = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return isUndecided ? (
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

const useVerification = () => {
  const token = useAddressToken();
  const [, navigate] = useLocation();
  const [outcome, setOutcome] = useState<Outcome>({ step: "verifying" });
  // The token works once, but an effect may run twice.
  const sent = useRef<string | null>(null);

  const verify = async (secret: string) => {
    setOutcome({ step: "verifying" });
    try {
      await verifyEmail(secret);
      setOutcome({ step: "verified" });
    } catch (error) {
      setOutcome({ step: "failed", error });
    }
  };

  useEffect(() => {
    if (token === null) navigate("/verify", { replace: true });
    if (typeof token !== "string" || sent.current === token) return;
    sent.current = token;
    void verify(token);
  });

  const isVerified = outcome.step === "verified";
  useEffect(() => {
    if (!isVerified) return;
    const timer = setTimeout(() => navigate("/login"), timers.redirectMs);
    return () => clearTimeout(timer);
  }, [isVerified, navigate]);

  return { outcome, retry: () => void verify(token ?? "") };
};
