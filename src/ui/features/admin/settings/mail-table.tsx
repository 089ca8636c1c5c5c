import { useCallback } from "react";
import type { Mail } from "#api/modules/mail/contract.ts";
import { mailFields } from "#contract/field-marks.ts";
import { RequestButton } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { type Column, DataTable, pressableRow, RowButton } from "#ui/components/ui/table.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Copyable, Facts, momentFact, ShortMoment } from "../facts.tsx";
import { formatCount } from "../format.ts";
import { LoadedData } from "../list-parts.tsx";

type MailSheetProps = {
  id: string;
  onClose: () => void;
  /** Called whenever the list behind may have become stale. */
  onChange: () => void;
};

/** One email with what became of it, and what can be done about it. Its text is no one's business. */
export const MailSheet = ({ id, onClose, onChange }: MailSheetProps) => {
  const load = useCallback(async () => (await client.mail.get({ id })).data, [id]);
  const loaded = useLoad(load);
  const { data } = loaded;
  const changed = () => {
    loaded.reload();
    onChange();
  };
  const retrying = useAct(async () => {
    notify({ tone: "success", message: (await client.mail.retry({ id })).message });
    changed();
  });

  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={data?.subject ?? mailPanelTexts.detail}
      description={data?.recipient}
      actions={
        data?.canRetry === true && (
          <>
            <Button size="sm" isBusy={retrying.isBusy} onClick={retrying.act}>
              {mailPanelTexts.retry}
            </Button>
            <RequestButton
              variant="outline"
              size="sm"
              className="sm:ml-auto"
              asks={{
                title: mailPanelTexts.discardTitle,
                question: mailPanelTexts.discardText(data.recipient),
                action: mailPanelTexts.discardConfirm,
                fallback: mailPanelTexts.discardFailed,
                send: () => client.mail.discard({ id }),
                onDone: changed,
              }}
            >
              {mailPanelTexts.discard}
            </RequestButton>
          </>
        )
      }
    >
      <LoadedData loaded={loaded} skeleton={<Skeleton className="h-40 w-full" />}>
        {(mail) => (
          <>
            {retrying.error !== null && (
              <Alert severity="error" className="mb-5">
                {failureText(retrying.error, mailPanelTexts.retryFailed)}
              </Alert>
            )}
            <MailFacts mail={mail} />
          </>
        )}
      </LoadedData>
    </Sheet>
  );
};

const MailFacts = ({ mail }: { mail: Mail }) => (
  <div className="grid gap-5">
    <Facts
      fields={mailFields}
      contents={{
        ...{ id: null, subject: null },
        status: <Badge tone={tones[mail.status]}>{mailPanelTexts.statuses[mail.status]}</Badge>,
        recipient: <Copyable name={mailFields.recipient.label} text={mail.recipient} />,
        attempts: formatCount(mail.attempts),
        createdAt: momentFact(mail.createdAt),
        sentAt: momentFact(mail.sentAt),
        nextAttemptAt: momentFact(mail.nextAttemptAt),
        lastError: mail.lastError && <Copyable name={mailFields.lastError.label} text={mail.lastError} />,
      }}
    />
    {mail.status === "dead" && !mail.canRetry && (
      <p className="text-[0.8125rem] text-muted-foreground">{mailPanelTexts.gone}</p>
    )}
  </div>
);

const tones = { waiting: "neutral", sent: "success", dead: "danger" } as const;

/** Words of the email section. */
export const mailPanelTexts = {
  loading: "Loading emails",
  loadFailed: "The email status could not be loaded",
  transport: "Transport",
  transports: { smtp: "Mail server (SMTP)", outbox: "Files in the outbox" },
  server: "Server",
  from: "From",
  health: "Health",
  healthy: "Working",
  failing: "Failing",
  filesOnly: "Files only",
  lastError: mailFields.lastError.label,
  noServer:
    "Emails are not being delivered. They are saved to the outbox folder. Set SMTP_URL and restart the server to deliver them.",
  sendTo: "Send test email to",
  outbox: "Outbox",
  which: "Which emails",
  statuses: { waiting: "Waiting", sent: "Sent", dead: "Failed" },
  searchHint: "Recipient or subject",
  retryAll: "Retry all failed",
  retryAllFailed: "The emails could not be retried",
  table: "Emails",
  none: {
    waiting: "No emails waiting",
    sent: "No emails sent yet",
    dead: "No failed emails",
  },
  noneText: {
    waiting: "Emails wait here until they are sent, usually within seconds.",
    sent: "Sent emails are listed here without their text.",
    dead: "Emails that could not be delivered appear here and can be retried.",
  },
  noMatch: "No emails found",
  noMatchText: "No emails match your search.",
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  more: "Show older emails",
  detail: "Email",
  retry: "Retry",
  retryFailed: "The email could not be retried",
  discard: "Discard",
  discardTitle: "Discard this email?",
  discardText: (recipient: string) =>
    `The email to ${recipient} will not be sent. Its text, including any links, is deleted.`,
  discardConfirm: "Discard email",
  discardFailed: "The email could not be discarded",
  gone: "Its text was deleted, so it can't be retried.",
} as const;

type MailTableProps = { mails: readonly Mail[]; onOpen: (id: string) => void };

/** Emails of the outbox, a row each; a press anywhere in a row opens it. */
export const MailTable = ({ mails, onOpen }: MailTableProps) => (
  <DataTable
    label={mailPanelTexts.table}
    columns={columnsFor(onOpen)}
    rows={mails}
    keyOf={({ id }) => id}
    rowLook={pressableRow}
  />
);

// What a narrow window has no room for goes; day and subject move below the recipient.
// The outer ones begin and end where everything else of the section does.
const columnsFor = (onOpen: (id: string) => void): readonly Column<Mail>[] => [
  {
    name: mailFields.recipient.label,
    isHeading: true,
    look: "first:pl-5",
    // Cells without a width of their own share what the others leave, and cut what is too long for it.
    cellLook: "py-1 max-sm:pr-5 sm:w-1/2",
    cell: ({ id, recipient, createdAt, subject, lastError }) => (
      <>
        <RowButton onClick={() => onOpen(id)} className="block min-h-8 w-full truncate">
          {recipient}
        </RowButton>
        <span className="block truncate pb-1 font-normal text-[0.8125rem] text-muted-foreground sm:hidden">
          {shortMoment(createdAt)} · {subject}
        </span>
        {lastError !== null && (
          <span className="block truncate pb-1 font-normal text-[0.8125rem] text-destructive">
            {lastError}
          </span>
        )}
      </>
    ),
  },
  {
    name: mailFields.subject.label,
    look: "max-sm:hidden",
    cellLook: "w-1/2 max-w-0 truncate text-muted-foreground",
    cell: ({ subject }) => subject,
  },
  { name: mailFields.attempts.label, look: "max-md:hidden", cell: ({ attempts }) => formatCount(attempts) },
  {
    name: mailFields.createdAt.label,
    look: "last:pr-5 max-sm:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ createdAt }) => <ShortMoment iso={createdAt} />,
  },
];
