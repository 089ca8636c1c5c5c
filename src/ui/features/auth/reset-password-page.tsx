import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { timers } from "#contract/limits.ts";
import { pageAuthTexts } from "#contract/page-auth-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { currentSession, refreshSession } from "#ui/lib/session.ts";
import { checkResetLink } from "./api.ts";
import { AuthCard } from "./auth-card.tsx";
import { ResetForm, UselessLink } from "./reset-form.tsx";
import { TextLink } from "./text-link.tsx";
import { authScreenTexts as texts } from "./texts.ts";
import { useAddressToken, useLinkRefusal } from "./use-address-token.ts";

/**
 * Sets a new password with the token of a mailed link, then leads to the sign-in. Says as soon as it opens when the link no
 * longer works; while that can't be known, the form is there.
 */
export const ResetPasswordPage = () => {
  const token = useAddressToken();
  const [email, setEmail] = useState<string | null>(null);
  const isDone = email !== null;
  const refusal = useLinkRefusal(token, checkResetLink);
  const finish = (address: string) => {
    setEmail(address);
    keepPageToken(null);
    // The reset has ended every session of that account, perhaps this browser's too.
    if (currentSession().user !== null) void refreshSession();
  };
  return (
    <AuthCard
      title={texts.reset}
      lead={isDone || refusal !== null ? undefined : texts.resetLead}
      footer={isDone ? undefined : <TextLink href="/login">{texts.backToLogin}</TextLink>}
    >
      {isDone && <Done email={email} />}
      {!isDone && refusal !== null && <UselessLink message={refusal} />}
      {!isDone && refusal === null && <ResetForm token={token} onDone={finish} />}
    </AuthCard>
  );
};

const Done = ({ email }: { email: string }) => {
  const [, navigate] = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/login", { state: { email } }), timers.redirectMs);
    return () => clearTimeout(timer);
  }, [navigate, email]);
  return (
    <div className="grid gap-5">
      <Alert>{pageAuthTexts.resetDone}</Alert>
      <Link href="/login" state={{ email }} className={buttonVariants({ variant: "outline", size: "lg" })}>
        {texts.toLogin}
      </Link>
    </div>
  );
};
