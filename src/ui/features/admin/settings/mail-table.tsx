import type { Mail } from "#api/modules/mail/contract.ts";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { shortMoment } from "#ui/lib/short-moment.ts";
import { formatCount, formatDateTime } from "../format.ts";
import { mailPanelTexts as texts } from "./mail-texts.ts";

type MailTableProps = { mails: readonly Mail[]; onOpen: (id: string) => void };

/** Mails of the outbox, a row each; a press anywhere in a row opens it. */
export const MailTable = ({ mails, onOpen }: MailTableProps) => (
  <Table label={texts.table}>
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
  { name: texts.columns.recipient, look: looks.recipient },
  { name: texts.columns.subject, look: looks.subject },
  { name: texts.columns.tries, look: looks.tries },
  { name: texts.columns.created, look: looks.created },
];
