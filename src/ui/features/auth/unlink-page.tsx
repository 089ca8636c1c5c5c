import { useState } from "react";
import { Link } from "wouter";
import { linkUndoTexts } from "#contract/auth-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { useAddressToken, useLinkAct, useLinkCheck } from "./arrivals.ts";
import { AuthCard } from "./auth-card.tsx";
import { emailChangeScreenTexts, unlinkScreenTexts as texts } from "./texts.ts";

const checkLink = async (token: string) => (await client.auth.checkLinkUndo({ token })).data;

/** Unlinks the provider that an email was about, at the press of a button; where nothing else opens the account, a new password follows. */
export const UnlinkPage = () => {
  const token = useAddressToken();
  const { data, refusal } = useLinkCheck(token, checkLink);
  const [isDone, setDone] = useState(false);
  const { act, isBusy, error } = useLinkAct(
    () => client.auth.undoLink({ token: token ?? "" }),
    () => setDone(true),
  );
  const wrong = token === null ? linkUndoTexts.invalid : refusal;
  return (
    <AuthCard title={texts.title}>
      <div className="grid min-h-40 content-center gap-5">
        {isDone && (
          <>
            <Alert title={linkUndoTexts.done}>{texts.next}</Alert>
            <Link href="/forgot-password" className={buttonVariants({ size: "lg" })}>
              {texts.newPassword}
            </Link>
          </>
        )}
        {!isDone && wrong !== null && (
          <>
            <Alert severity="error" title={wrong} />
            <Link href="/account/security" className={buttonVariants({ variant: "outline", size: "lg" })}>
              {emailChangeScreenTexts.toAccount}
            </Link>
          </>
        )}
        {!isDone && wrong === null && data !== null && (
          <>
            <p className="wrap-anywhere text-sm">{texts.ask(data.provider)}</p>
            {error !== null && (
              <Alert severity="error">{failureText(error, emailChangeScreenTexts.failed)}</Alert>
            )}
            <Button size="lg" isBusy={isBusy} onClick={act}>
              {texts.act(data.provider)}
            </Button>
          </>
        )}
      </div>
    </AuthCard>
  );
};
