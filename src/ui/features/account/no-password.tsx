import { useState } from "react";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { failureText } from "#ui/lib/failure-text.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { mailPasswordLink } from "./api.ts";
import { accountScreenTexts as texts } from "./texts.ts";

/** For people who sign in through a provider only: has a link mailed that sets a password. */
export const NoPassword = ({ email }: { email: string }) => {
  const [sent, setSent] = useState<string | null>(null);
  const { act, isBusy, error } = useAct(async () => setSent(await mailPasswordLink(email)));
  return (
    <div className="grid gap-4">
      <p className="wrap-anywhere text-sm">{texts.noPassword(email)}</p>
      {error !== null && <Alert severity="error">{failureText(error, pageAuthTexts.resetMailFailed)}</Alert>}
      {error === null && sent !== null && <Alert>{sent}</Alert>}
      <Button variant="outline" isBusy={isBusy} onClick={act} className="sm:justify-self-start">
        {texts.mailLink}
      </Button>
    </div>
  );
};
