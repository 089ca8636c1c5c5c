import type { ContactMessage } from "#api/modules/contact/contract.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { formatDate, formatDateTime } from "../format.ts";
import { messagesTexts as texts } from "./texts.ts";

type MessageTableProps = { messages: ContactMessage[]; onOpen: (id: string) => void };

/** The messages of one page, a row each; a press anywhere in a row opens it. */
export const MessageTable = ({ messages, onOpen }: MessageTableProps) => (
  <Table label={texts.table}>
    <TableHeader columns={columns} />
    <TableBody>
      {messages.map((message) => (
        <MessageRow key={message.id} message={message} onOpen={() => onOpen(message.id)} />
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes; subject and day move below the name.
const looks = { subject: "max-md:hidden", message: "max-md:hidden", received: "max-lg:hidden" };
const columns = [
  { name: texts.columns.from },
  { name: texts.columns.subject, look: looks.subject },
  { name: texts.columns.message, look: looks.message },
  { name: texts.columns.received, look: looks.received },
  { name: texts.columns.status },
];

// Enough for the widest window; the rest is read in the sheet.
const shownLength = 160;

const MessageRow = ({ message, onOpen }: { message: ContactMessage; onOpen: () => void }) => {
  const isUnread = message.readAt === null;
  return (
    <TableRow className={cn("relative hover:bg-muted/60", isUnread && "font-semibold")}>
      {/* Cells without a width of their own share what the others leave, and cut what is too long for it. */}
      <th
        scope="row"
        className={cn("w-full max-w-0 py-1 pr-3 pl-4 text-left md:w-1/3 md:py-0", !isUnread && "font-medium")}
      >
        <span className="flex items-center gap-2.5">
          <span
            aria-hidden="true"
            className={cn("size-2 shrink-0 rounded-full", isUnread ? "bg-primary" : "bg-transparent")}
          />
          <button
            type="button"
            onClick={onOpen}
            title={message.email}
            className="min-h-6 min-w-0 cursor-pointer truncate outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset md:h-10"
          >
            {message.name}
            {isUnread && <span className="sr-only"> ({texts.unread})</span>}
          </button>
        </span>
        <span className="block pl-4.5 font-normal text-[0.8125rem] text-muted-foreground md:hidden">
          {message.subject} · {formatDate(message.createdAt)}
        </span>
      </th>
      <TableCell className={looks.subject}>{message.subject}</TableCell>
      <TableCell
        className={cn("w-2/3 max-w-0 truncate", looks.message, !isUnread && "text-muted-foreground")}
      >
        {message.message.slice(0, shownLength)}
      </TableCell>
      <TableCell className={cn(looks.received, !isUnread && "text-muted-foreground")}>
        <time dateTime={message.createdAt} title={formatDateTime(message.createdAt)}>
          {formatDate(message.createdAt)}
        </time>
      </TableCell>
      <TableCell>
        <Badge tone={message.handledAt === null ? "primary" : "neutral"}>
          {message.handledAt === null ? texts.statuses.open : texts.statuses.handled}
        </Badge>
      </TableCell>
    </TableRow>
  );
};

/** The table's shape while its rows are on their way. */
export const MessageTableSkeleton = () => (
  <Card aria-busy="true" aria-label={texts.loading} className="divide-y divide-border">
    {["a", "b", "c", "d", "e", "f"].map((row) => (
      <div key={row} className="flex h-10 items-center gap-6 px-4">
        <Skeleton className="h-4 w-1/5" />
        <Skeleton className="h-4 w-1/12" />
        <Skeleton className="h-4 w-2/5" />
      </div>
    ))}
  </Card>
);
