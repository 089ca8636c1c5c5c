import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { timers } from "#contract/limits.ts";
import { removedSentence } from "#contract/users.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { client } from "#ui/lib/client.ts";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { currentSession, refreshSession } from "#ui/lib/session.ts";
import type { ResetDone } from "./api.ts";
import { AuthCard, FormOrNotice } from "./auth-card.tsx";
import { ResetForm, UselessLink } from "./reset-form.tsx";
import { TextLink } from "./text-link.tsx";
import { authScreenTexts as texts } from "./texts.ts";
import { useAddressToken, useLinkCheck } from "./use-address-token.ts";

const readWaysIn = async (token: string) => (await client.auth.checkResetLink({ token })).data.waysIn;

/**
 * Sets a new password with the token of a mailed link, then leads to the sign-in. Says as soon as it opens when the link no
 * longer works; while that can't be known, the form is there.
 */
export const ResetPasswordPage = () => {
  const token = useAddressToken();
  const [done, setDone] = useState<ResetDone | null>(null);
  const isDone = done !== null;
  const { data: waysIn, refusal } = useLinkCheck(token, readWaysIn);
  const finish = (reset: ResetDone) => {
    setDone(reset);
    keepPageToken(null);
    // The reset has ended every session of that account, perhaps this browser's too.
    if (currentSession().user !== null) void refreshSession();
  };
  return (
    <AuthCard
      title={texts.reset}
      lead={isDone ? undefined : texts.resetLead}
      // Out of sight, and its place kept: nothing moves when the answer comes that the link is dead.
      leadClassName={refusal === null ? undefined : "invisible"}
      footer={isDone ? undefined : <TextLink href="/login">{texts.backToLogin}</TextLink>}
    >
      {isDone && <Done {...done} />}
      {!isDone && (
        <FormOrNotice notice={refusal === null ? null : <UselessLink message={refusal} />}>
          <ResetForm token={token} waysIn={waysIn} onDone={finish} />
        </FormOrNotice>
      )}
    </AuthCard>
  );
};

// So many times longer than the usual wait, what was removed can be read.
const readingTimes = 3;

const Done = ({ email, removed }: ResetDone) => {
  const [, navigate] = useLocation();
  const waitMs = timers.redirectMs * (removed.length === 0 ? 1 : readingTimes);
  useEffect(() => {
    const timer = setTimeout(() => navigate("/login", { state: { email } }), waitMs);
    return () => clearTimeout(timer);
  }, [navigate, email, waitMs]);
  return (
    <div className="grid gap-5">
      <Alert>{pageAuthTexts.resetDone}</Alert>
      {removed.length > 0 && <Alert severity="info">{removedSentence(removed, Date.now())}</Alert>}
      <Link href="/login" state={{ email }} className={buttonVariants({ variant: "outline", size: "lg" })}>
        {texts.toLogin}
      </Link>
    </div>
  );
};
