import { useCallback, useState } from "react";
import type { Mail } from "#api/modules/mail/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Copyable } from "../copyable.tsx";
import { Fact } from "../fact.tsx";
import { formatCount, formatDateTime } from "../format.ts";
import { mailPanelTexts as texts } from "./mail-texts.ts";

type MailSheetProps = {
  id: string;
  onClose: () => void;
  /** Called whenever the list behind may have become stale. */
  onChange: () => void;
};

/** One mail with what became of it, and what can be done about it. Its text is nobody's business. */
export const MailSheet = ({ id, onClose, onChange }: MailSheetProps) => {
  const load = useCallback(async () => (await client.mail.get({ id })).data, [id]);
  const { data, error, reload } = useLoad(load);
  const [isAsking, setIsAsking] = useState(false);
  const retrying = useAct(async () => {
    notify({ tone: "success", message: (await client.mail.retry({ id })).message });
    reload();
    onChange();
  });
  const discard = async () => {
    notify({ tone: "success", message: (await client.mail.discard({ id })).message });
    setIsAsking(false);
    reload();
    onChange();
  };
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={data?.subject ?? texts.detail}
      description={data?.recipient}
      actions={
        data?.canRetry === true && (
          <>
            <Button size="sm" isBusy={retrying.isBusy} onClick={retrying.act}>
              {texts.retry}
            </Button>
            <Button variant="outline" size="sm" className="sm:ml-auto" onClick={() => setIsAsking(true)}>
              {texts.discard}
            </Button>
          </>
        )
      }
    >
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <Skeleton className="h-40 w-full" />}
      {retrying.error !== null && (
        <Alert severity="error" className="mb-5">
          {failureText(retrying.error, texts.retryFailed)}
        </Alert>
      )}
      {data !== null && <MailFacts mail={data} />}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.discardTitle}
        question={texts.discardText(data?.recipient ?? "")}
        action={texts.discardConfirm}
        fallback={texts.discardFailed}
        onConfirm={discard}
      />
    </Sheet>
  );
};

const MailFacts = ({ mail }: { mail: Mail }) => (
  <div className="grid gap-5">
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
      <Fact name={texts.status}>
        <Badge tone={tones[mail.status]}>{texts.statuses[mail.status]}</Badge>
      </Fact>
      <Fact name={texts.recipient}>
        <Copyable name={texts.recipient} text={mail.recipient} />
      </Fact>
      <Fact name={texts.attempts}>{formatCount(mail.attempts)}</Fact>
      <Moment name={texts.created} iso={mail.createdAt} />
      <Moment name={texts.sent} iso={mail.sentAt} />
      <Moment name={texts.nextAttempt} iso={mail.nextAttemptAt} />
      {mail.lastError !== null && (
        <Fact name={texts.error}>
          <Copyable name={texts.error} text={mail.lastError} />
        </Fact>
      )}
    </dl>
    {mail.status === "dead" && !mail.canRetry && (
      <p className="text-[0.8125rem] text-muted-foreground">{texts.gone}</p>
    )}
  </div>
);

const tones = { waiting: "neutral", sent: "success", dead: "danger" } as const;

const Moment = ({ name, iso }: { name: string; iso: string | null }) =>
  iso !== null && (
    <Fact name={name}>
      <time dateTime={iso}>{formatDateTime(iso)}</time>
    </Fact>
  );
