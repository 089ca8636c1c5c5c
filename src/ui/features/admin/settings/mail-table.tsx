import { useCallback, useState } from "react";
import type { Mail } from "#api/modules/mail/contract.ts";
import { mailFields } from "#contract/field-marks.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Copyable, Facts, momentFact } from "../facts.tsx";
import { formatCount, formatDateTime } from "../format.ts";

type MailSheetProps = {
  id: string;
  onClose: () => void;
  /** Called whenever the list behind may have become stale. */
  onChange: () => void;
};

/** One email with what became of it, and what can be done about it. Its text is no one's business. */
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
      title={data?.subject ?? mailPanelTexts.detail}
      description={data?.recipient}
      actions={
        data?.canRetry === true && (
          <>
            <Button size="sm" isBusy={retrying.isBusy} onClick={retrying.act}>
              {mailPanelTexts.retry}
            </Button>
            <Button variant="outline" size="sm" className="sm:ml-auto" onClick={() => setIsAsking(true)}>
              {mailPanelTexts.discard}
            </Button>
          </>
        )
      }
    >
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <Skeleton className="h-40 w-full" />}
      {retrying.error !== null && (
        <Alert severity="error" className="mb-5">
          {failureText(retrying.error, mailPanelTexts.retryFailed)}
        </Alert>
      )}
      {data !== null && <MailFacts mail={data} />}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={mailPanelTexts.discardTitle}
        question={mailPanelTexts.discardText(data?.recipient ?? "")}
        action={mailPanelTexts.discardConfirm}
        fallback={mailPanelTexts.discardFailed}
        onConfirm={discard}
      />
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
  <Table label={mailPanelTexts.table}>
    <TableHeader columns={columns} />
    <TableBody>
      {mails.map((mail) => (
        <TableRow key={mail.id} className="relative hover:bg-muted/60">
          {/* Cells without a width of their own share what the others leave, and cut what is too long for it. */}
          <th
            scope="row"
            className="w-full max-w-0 py-1 pr-3 pl-5 text-left font-medium max-sm:pr-5 sm:w-1/2"
          >
            <button
              type="button"
              onClick={() => onOpen(mail.id)}
              className="block min-h-8 w-full cursor-pointer truncate text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
            >
              {mail.recipient}
            </button>
            <span className="block truncate pb-1 font-normal text-[0.8125rem] text-muted-foreground sm:hidden">
              {shortMoment(mail.createdAt)} · {mail.subject}
            </span>
            {mail.lastError !== null && (
              <span className="block truncate pb-1 font-normal text-[0.8125rem] text-destructive">
                {mail.lastError}
              </span>
            )}
          </th>
          <TableCell className={cn("w-1/2 max-w-0 truncate text-muted-foreground", looks.subject)}>
            {mail.subject}
          </TableCell>
          <TableCell className={looks.tries}>{formatCount(mail.attempts)}</TableCell>
          <TableCell className={cn("text-muted-foreground", looks.created)}>
            <time dateTime={mail.createdAt} title={formatDateTime(mail.createdAt)}>
              {shortMoment(mail.createdAt)}
            </time>
          </TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes; day and subject move below the recipient.
// The outer ones begin and end where everything else of the section does.
const looks = {
  recipient: "first:pl-5",
  subject: "max-sm:hidden",
  tries: "max-md:hidden",
  created: "last:pr-5 max-sm:hidden",
};
const columns = [
  { name: mailFields.recipient.label, look: looks.recipient },
  { name: mailFields.subject.label, look: looks.subject },
  { name: mailFields.attempts.label, look: looks.tries },
  { name: mailFields.createdAt.label, look: looks.created },
];
