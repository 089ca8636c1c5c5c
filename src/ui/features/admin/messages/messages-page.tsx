import { Download, Inbox } from "lucide-react";
import { useCallback } from "react";
import { useSearchParams } from "wouter";
import type { ContactMessage } from "#api/modules/contact/contract.ts";
import { type ContactSubject, contactSubjects } from "#contract/contact-rules.ts";
import { pageLimits } from "#contract/limits.ts";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { addressOf, client } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { noteUnread } from "#ui/lib/unread-messages.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { formatCount, formatDate, formatDateTime } from "../format.ts";
import {
  EmptyList,
  ListPager,
  ListSearch,
  oneOf,
  pageBounds,
  readFilters,
  writeFilters,
} from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { MessageSheet } from "./message-sheet.tsx";
import { messagesTexts as texts } from "./texts.ts";

/** What visitors wrote, newest first; what is shown, the open message too, is in the address bar. */
export const AdminMessagesPage = () => {
  const [params, setParams] = useSearchParams();
  const filters = readMessageFilters(params);
  const { search, subject, status, page, message } = filters;
  const load = useCallback(async () => {
    const wanted = wantedOf({ search, subject, status });
    const { data: found } = await client.contact.list({ ...pageBounds(page), ...wanted });
    noteUnread(found.counts.unread);
    return found;
  }, [search, subject, status, page]);
  const { data, error, isLoading, reload } = useLoad(load);
  const show = (change: Partial<MessageFilters>, isSameStep: boolean) =>
    // What is in the address by then counts: a search waits for a pause in typing.
    setParams((now) => writeMessageFilters({ ...readMessageFilters(now), ...change }), {
      replace: isSameStep,
    });
  const turnTo = (next: number) => {
    show({ page: next }, false);
    window.scrollTo({ top: 0 });
  };
  return (
    <div className="grid gap-6">
      <PageHeader
        title={texts.title}
        lead={
          data === null
            ? texts.loading
            : texts.lead(formatCount(data.counts.open), formatCount(data.counts.unread))
        }
        actions={<ExportLinks filters={filters} total={data?.pagination.total ?? 0} />}
      />
      <MessageToolbar filters={filters} onFilter={(change) => show({ ...change, page: 1 }, true)} />
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <MessageTableSkeleton />}
      {data !== null && (
        <Card
          aria-busy={isLoading}
          className={cn(
            "overflow-hidden",
            (isLoading || error !== null) && "opacity-70 transition-opacity delay-200",
          )}
        >
          {data.messages.length === 0 ? (
            <NoMessages
              total={data.pagination.total}
              isNarrowed={isNarrowed(filters)}
              onShowAll={() => show({ search: "", subject: null, status: null, page: 1 }, false)}
            />
          ) : (
            // Created again for each page, so that its own scrolling begins at the top.
            <MessageTable
              key={data.pagination.offset}
              messages={data.messages}
              onOpen={(id) => show({ message: id }, false)}
            />
          )}
          {data.pagination.total > 0 && (
            <ListPager {...data.pagination} page={page} onPage={turnTo} rows={data.messages.length} />
          )}
        </Card>
      )}
      {message !== null && (
        <MessageSheet
          key={message}
          id={message}
          onClose={() => show({ message: null }, true)}
          onChange={reload}
        />
      )}
    </div>
  );
};

type MessageToolbarProps = {
  filters: MessageFilters;
  onFilter: (change: Partial<MessageFilters>) => void;
};

/** Narrows the list down. */
const MessageToolbar = ({ filters, onFilter }: MessageToolbarProps) => (
  <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,24rem)_10rem_11rem]">
    <ListSearch search={filters.search} hint={texts.searchHint} onSearch={(search) => onFilter({ search })} />
    <Field label={texts.subject}>
      <Select
        value={filters.subject ?? ""}
        onChange={(event) => onFilter({ subject: oneOf(contactSubjects, event.target.value) })}
      >
        <option value="">{texts.anySubject}</option>
        {contactSubjects.map((subject) => (
          <option key={subject}>{subject}</option>
        ))}
      </Select>
    </Field>
    <Field label={texts.status}>
      <Select
        value={filters.status ?? ""}
        onChange={(event) => onFilter({ status: oneOf(messageStatuses, event.target.value) })}
      >
        <option value="">{texts.anyStatus}</option>
        {messageStatuses.map((status) => (
          <option key={status} value={status}>
            {texts.statuses[status]}
          </option>
        ))}
      </Select>
    </Field>
  </div>
);

/** Links that download what matches at the moment. */
const ExportLinks = ({ filters, total }: { filters: MessageFilters; total: number }) => (
  <div className="grid justify-items-end gap-1">
    <div className="flex flex-wrap gap-2">
      {(["csv", "ndjson"] as const).map((format) => (
        <DownloadLink
          key={format}
          href={addressOf("contact.export", { format, ...wantedOf(filters) })}
          className={buttonVariants({ variant: "outline", size: "sm" })}
        >
          <Download aria-hidden="true" />
          {format === "csv" ? texts.exportCsv : texts.exportNdjson}
        </DownloadLink>
      ))}
    </div>
    {total > pageLimits.exportRows && (
      <p className="text-muted-foreground text-xs">{texts.exportHint(formatCount(pageLimits.exportRows))}</p>
    )}
  </div>
);

type MessageTableProps = { messages: ContactMessage[]; onOpen: (id: string) => void };

/** The messages of one page, a row each; a press anywhere in a row opens it. */
const MessageTable = ({ messages, onOpen }: MessageTableProps) => (
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
const MessageTableSkeleton = () => (
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

type NoMessagesProps = { total: number; isNarrowed: boolean; onShowAll: () => void };

/** Shown in place of the table when it would be empty: nothing yet, nothing that matches, or a page past the last. */
const NoMessages = ({ total, isNarrowed, onShowAll }: NoMessagesProps) => {
  const { title, text } = wordsFor(total, isNarrowed);
  return (
    <EmptyList Icon={Inbox} title={title} text={text}>
      {(isNarrowed || total > 0) && (
        <Button variant="outline" size="sm" className="mt-3" onClick={onShowAll}>
          {texts.showAll}
        </Button>
      )}
    </EmptyList>
  );
};

const wordsFor = (total: number, isNarrowed: boolean) => {
  if (total > 0) return { title: texts.beyond, text: texts.beyondText };
  if (isNarrowed) return { title: texts.noMatch, text: texts.noMatchText };
  return { title: texts.none, text: texts.noneText };
};

/** Whether messages still need someone. */
const messageStatuses = ["open", "handled"] as const;
type MessageStatus = (typeof messageStatuses)[number];

/** What the page of messages shows; `null` stands for any, and `message` is the one that is open. */
type MessageFilters = {
  search: string;
  page: number;
  subject: ContactSubject | null;
  status: MessageStatus | null;
  message: string | null;
};

/** Reads the filters from a query; what makes no sense counts as not given. */
export const readMessageFilters = (params: URLSearchParams): MessageFilters => ({
  ...readFilters(params),
  subject: oneOf(contactSubjects, params.get("subject")),
  status: oneOf(messageStatuses, params.get("status")),
  message: params.get("message"),
});

/** The filters as a query; what is at its default is left out. */
export const writeMessageFilters = ({
  subject,
  status,
  message,
  ...list
}: MessageFilters): URLSearchParams => {
  const params = writeFilters(list);
  for (const [name, value] of Object.entries({ subject, status, message }))
    if (value !== null) params.set(name, value);
  return params;
};

/** Whether anything but the page narrows the list. */
export const isNarrowed = ({ search, subject, status }: MessageFilters): boolean =>
  search !== "" || subject !== null || status !== null;

/** What the API is asked for; what stands for any is left out. */
const wantedOf = ({ search, subject, status }: Pick<MessageFilters, "search" | "subject" | "status">) => ({
  search: search === "" ? undefined : search,
  subject: subject ?? undefined,
  status: status ?? undefined,
});
