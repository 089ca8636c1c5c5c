import { useState } from "react";
import { Link } from "wouter";
import type { EmailChangeLink, EmailChangeOutcome } from "#api/modules/email-changes/contract.ts";
import { emailChangeTexts } from "#contract/auth-texts.ts";
import type { EmailChangeAct } from "#contract/users.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { useAddressToken, useLinkAct, useLinkCheck } from "./arrivals.ts";
import { AuthCard } from "./auth-card.tsx";
import { emailChangeScreenTexts as texts } from "./texts.ts";

const checkLink = async (token: string) => (await client.emailChanges.check({ token })).data;

/** What a link about a change of email address is good for: to confirm, approve, stop or undo it, each at the press of a button. */
export const EmailChangePage = () => {
  const token = useAddressToken();
  const { data, refusal } = useLinkCheck(token, checkLink);
  const [outcome, setOutcome] = useState<EmailChangeOutcome["state"] | null>(null);
  const wrong = token === null ? emailChangeTexts.invalid : refusal;
  return (
    <AuthCard title={texts.title}>
      <div className="grid min-h-40 content-center gap-5">
        {wrong !== null && outcome === null && (
          <Alert severity="error" title={wrong}>
            {texts.invalidNext}
          </Alert>
        )}
        {outcome !== null && <Alert>{emailChangeTexts.outcomes[outcome]}</Alert>}
        {(wrong !== null || outcome !== null) && (
          <Link href="/dashboard" className={buttonVariants({ variant: "outline", size: "lg" })}>
            {texts.toAccount}
          </Link>
        )}
        {data !== null && wrong === null && outcome === null && (
          <Choices token={token ?? ""} link={data} onDone={setOutcome} />
        )}
      </div>
    </AuthCard>
  );
};

type ChoicesProps = {
  token: string;
  link: EmailChangeLink;
  onDone: (state: EmailChangeOutcome["state"]) => void;
};

const Choices = ({ token, link: { acts, oldEmail, newEmail }, onDone }: ChoicesProps) => (
  <>
    <p className="wrap-anywhere text-sm">
      {acts.includes("undo") ? texts.was(oldEmail, newEmail) : texts.willBe(oldEmail, newEmail)}
    </p>
    {acts.map((act) => (
      <Choice key={act} token={token} act={act} onDone={onDone} />
    ))}
  </>
);

type ChoiceProps = Pick<ChoicesProps, "token" | "onDone"> & { act: EmailChangeAct };

const Choice = ({ token, act: chosen, onDone }: ChoiceProps) => {
  const { act, isBusy, error } = useLinkAct(
    () => client.emailChanges.finish({ token, act: chosen }),
    ({ state }) => onDone(state),
  );
  const isStop = chosen === "stop";
  return (
    <div className="grid gap-3">
      {error !== null && <Alert severity="error">{failureText(error, texts.failed)}</Alert>}
      {chosen === "undo" && <p className="text-muted-foreground text-sm">{texts.undoText}</p>}
      <Button size="lg" variant={isStop ? "outline" : "default"} isBusy={isBusy} onClick={act}>
        {texts.acts[chosen]}
      </Button>
    </div>
  );
};
