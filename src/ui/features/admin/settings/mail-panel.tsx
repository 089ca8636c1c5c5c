import { useState } from "react";
import type { MailState } from "#api/modules/mail/contract.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { useSession } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Fact } from "../fact.tsx";
import { ConnectionTest } from "./connection-test.tsx";
import { mailPanelTexts as texts } from "./mail-texts.ts";
import { Outbox } from "./outbox.tsx";
import { settingsPageTexts } from "./texts.ts";

const refreshMs = 30_000;

const loadState = async () => (await client.mail.status()).data;

/** How mails leave and how that goes, a test mail, and what became of the mails so far. */
export const MailPanel = () => {
  const { data, error, reload } = useLoad(loadState, refreshMs);
  return (
    <div className="divide-y divide-border">
      <div className="grid gap-4 p-5">
        {data === null && error === null && (
          <div aria-busy="true">
            <span className="sr-only">{texts.loading}</span>
            <Skeleton className="h-32 w-full" />
          </div>
        )}
        {error !== null && (
          <Alert
            severity="error"
            actions={
              <Button variant="outline" size="sm" onClick={reload}>
                {settingsPageTexts.tryAgain}
              </Button>
            }
          >
            {failureText(error, texts.loadFailed)}
          </Alert>
        )}
        {data !== null && <Transport state={data} />}
      </div>
      <TestMail onTested={reload} />
      <Outbox onChange={reload} />
    </div>
  );
};

const Transport = ({ state }: { state: MailState }) => {
  const { transport, server, from, lastError } = state;
  return (
    <>
      {transport === "outbox" && <Alert severity="warning">{texts.noServer}</Alert>}
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
        <Fact name={texts.transport}>{texts.transports[transport]}</Fact>
        {server !== null && <Fact name={texts.server}>{server}</Fact>}
        <Fact name={texts.from}>{from}</Fact>
        <Fact name={texts.health}>
          <Health state={state} />
        </Fact>
        {lastError !== null && (
          <Fact name={texts.lastError}>
            <span className="text-destructive">{lastError}</span>
          </Fact>
        )}
      </dl>
    </>
  );
};

const Health = ({ state: { transport, isHealthy } }: { state: MailState }) => {
  if (!isHealthy) return <Badge tone="danger">{texts.failing}</Badge>;
  // Nothing fails where nothing is sent; that is not working yet.
  if (transport === "outbox") return <Badge tone="warning">{texts.filesOnly}</Badge>;
  return <Badge tone="success">{texts.healthy}</Badge>;
};

const TestMail = ({ onTested }: { onTested: () => void }) => {
  const { user } = useSession();
  const [to, setTo] = useState(user?.email ?? "");
  const [refusal, setRefusal] = useState<string | null>(null);
  const complaint = emailComplaint(to);
  return (
    <div className="grid gap-3 p-5 sm:grid-cols-[1fr_auto] sm:items-end">
      <Field label={texts.sendTo} error={refusal ?? (to === "" ? null : complaint)}>
        <Input
          type="text"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={to}
          onChange={({ target }) => {
            setTo(target.value);
            setRefusal(null);
          }}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <ConnectionTest
          kind="mail"
          isReady={complaint === null}
          test={() => client.mail.test({ to: to.trim() })}
          onRefused={(errors) => setRefusal(errors[0]?.message ?? null)}
          onTested={onTested}
        />
      </div>
    </div>
  );
};
