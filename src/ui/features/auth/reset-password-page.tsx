import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { timers } from "#contract/limits.ts";
import { pageAuthTexts } from "#contract/page-auth-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { currentSession, refreshSession } from "#ui/lib/session.ts";
import { AuthCard } from "./auth-card.tsx";
import { ResetForm } from "./reset-form.tsx";
import { TextLink } from "./text-link.tsx";
import { authScreenTexts as texts } from "./texts.ts";
import { useAddressToken } from "./use-address-token.ts";

/** Sets a new password with the token of a mailed link, then leads to the sign-in. */
export const ResetPasswordPage = () => {
  const token = useAddressToken();
  const [isDone, setIsDone] = useState(false);
  const finish = () => {
    setIsDone(true);
    // The reset has ended every session of that account, perhaps this browser's too.
    if (currentSession().user !== null) void refreshSession();
  };
  return (
    <AuthCard
      title={texts.reset}
      lead={isDone ? undefined : texts.resetLead}
      footer={isDone ? undefined : <TextLink href="/login">{texts.backToLogin}</TextLink>}
    >
      {isDone ? <Done /> : <ResetForm token={token} onDone={finish} />}
    </AuthCard>
  );
};

const Done = () => {
  const [, navigate] = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/login"), timers.redirectMs);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <div className="grid gap-5">
      <Alert>{pageAuthTexts.resetDone}</Alert>
      <Link href="/login" className={buttonVariants({ variant: "outline", size: "lg" })}>
        {texts.toLogin}
      </Link>
    </div>
  );
};
