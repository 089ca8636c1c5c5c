import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { EmailChangeLink, EmailChangeOutcome } from "#api/modules/email-changes/contract.ts";
import { emailChangeTexts, linkUndoTexts } from "#contract/auth-texts.ts";
import type { EmailChangeAct } from "#contract/users.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { useAddressToken, useLinkAct, useLinkCheck } from "./arrivals.ts";
import { AuthCard } from "./auth-card.tsx";
import { emailChangeScreenTexts as changeTexts, unlinkScreenTexts as unlinkTexts } from "./texts.ts";

const checkChange = async (token: string) => (await client.emailChanges.check({ token })).data;

/** What a link about a change of email address is good for: to confirm, approve, stop or undo it, each at the press of a button. */
export const EmailChangePage = () => {
  const token = useAddressToken();
  const { data, refusal } = useLinkCheck(token, checkChange);
  const [outcome, setOutcome] = useState<EmailChangeOutcome["state"] | null>(null);
  const wrong = token === null ? emailChangeTexts.invalid : refusal;
  return (
    <LinkCard title={changeTexts.title}>
      {wrong !== null && outcome === null && (
        <Alert severity="error" title={wrong}>
          {changeTexts.invalidNext}
        </Alert>
      )}
      {outcome !== null && <Alert>{emailChangeTexts.outcomes[outcome]}</Alert>}
      {(wrong !== null || outcome !== null) && (
        <Link href="/dashboard" className={buttonVariants({ variant: "outline", size: "lg" })}>
          {changeTexts.toAccount}
        </Link>
      )}
      {data !== null && wrong === null && outcome === null && (
        <Choices token={token ?? ""} link={data} onDone={setOutcome} />
      )}
    </LinkCard>
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
      {acts.includes("undo") ? changeTexts.was(oldEmail, newEmail) : changeTexts.willBe(oldEmail, newEmail)}
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
      {error !== null && <Alert severity="error">{failureText(error, changeTexts.failed)}</Alert>}
      {chosen === "undo" && <p className="text-muted-foreground text-sm">{changeTexts.undoText}</p>}
      <Button size="lg" variant={isStop ? "outline" : "default"} isBusy={isBusy} onClick={act}>
        {changeTexts.acts[chosen]}
      </Button>
    </div>
  );
};

const checkUnlink = async (token: string) => (await client.auth.checkLinkUndo({ token })).data;

/** Unlinks the provider that an email was about, at the press of a button; where nothing else opens the account, a new password follows. */
export const UnlinkPage = () => {
  const token = useAddressToken();
  const { data, refusal } = useLinkCheck(token, checkUnlink);
  const [isDone, setDone] = useState(false);
  const { act, isBusy, error } = useLinkAct(
    () => client.auth.undoLink({ token: token ?? "" }),
    () => setDone(true),
  );
  const wrong = token === null ? linkUndoTexts.invalid : refusal;
  return (
    <LinkCard title={unlinkTexts.title}>
      {isDone && (
        <>
          <Alert title={linkUndoTexts.done}>{unlinkTexts.next}</Alert>
          <Link href="/forgot-password" className={buttonVariants({ size: "lg" })}>
            {unlinkTexts.newPassword}
          </Link>
        </>
      )}
      {!isDone && wrong !== null && (
        <>
          <Alert severity="error" title={wrong} />
          <Link href="/account/security" className={buttonVariants({ variant: "outline", size: "lg" })}>
            {changeTexts.toAccount}
          </Link>
        </>
      )}
      {!isDone && wrong === null && data !== null && (
        <>
          <p className="wrap-anywhere text-sm">{unlinkTexts.ask(data.provider)}</p>
          {error !== null && <Alert severity="error">{failureText(error, changeTexts.failed)}</Alert>}
          <Button size="lg" isBusy={isBusy} onClick={act}>
            {unlinkTexts.act(data.provider)}
          </Button>
        </>
      )}
    </LinkCard>
  );
};

/** Its content stands in the middle, so that little moves when it comes. */
const LinkCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <AuthCard title={title}>
    <div className="grid min-h-40 content-center gap-5">{children}</div>
  </AuthCard>
);
