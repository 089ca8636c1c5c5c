import { Download, Inbox } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { ContactMessage } from "#api/modules/contact/contract.ts";
import { type ContactSubject, contactSubjects, labelled } from "#contract/contact-rules.ts";
import { pageLimits } from "#contract/limits.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { addressOf, client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { noteUnread } from "#ui/lib/unread-messages.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Fact } from "../facts.tsx";
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

type MessageSheetProps = {
  id: string;
  onClose: () => void;
  /** Called whenever the list behind may have become stale. */
  onChange: () => void;
};

/** One message, whole, with what can be done about it. */
const MessageSheet = ({ id, onClose, onChange }: MessageSheetProps) => {
  const load = useCallback(async () => (await client.contact.get({ id })).data, [id]);
  const { data, error, reload } = useLoad(load);
  const [isAsking, setIsAsking] = useState(false);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  const hasLoaded = data !== null;
  // To look at a message makes it a read one.
  useEffect(() => {
    if (hasLoaded) tell.current();
  }, [hasLoaded]);
  const handling = useAct(async () => {
    if (data === null) return;
    const { message } = await client.contact.update({ id, handled: data.handledAt === null });
    notify({ tone: "success", message });
    reload();
    onChange();
  });
  const remove = async () => {
    const { message } = await client.contact.remove({ id });
    notify({ tone: "success", message });
    setIsAsking(false);
    onClose();
    onChange();
  };
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={data === null ? texts.detail : texts.from(data.name)}
      actions={
        data !== null && (
          <>
            <a
              href={replyAddress({ email: data.email, subject: texts.replySubject(data.subject) })}
              className={buttonVariants({ size: "sm" })}
            >
              {texts.reply}
            </a>
            <Button variant="outline" size="sm" isBusy={handling.isBusy} onClick={handling.act}>
              {data.handledAt === null ? texts.handle : texts.reopen}
            </Button>
            <Button variant="outline" size="sm" className="sm:ml-auto" onClick={() => setIsAsking(true)}>
              {texts.delete}
            </Button>
          </>
        )
      }
    >
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <Skeleton className="h-40 w-full" />}
      {handling.error !== null && (
        <Alert severity="error" className="mb-5">
          {failureText(handling.error, texts.changeFailed)}
        </Alert>
      )}
      {data !== null && <MessageBody message={data} />}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.deleteTitle}
        question={texts.deleteText(data?.name ?? "")}
        action={texts.deleteConfirm}
        fallback={texts.deleteFailed}
        onConfirm={remove}
      />
    </Sheet>
  );
};

const requestId = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** Where the firewall explains the request whose ID a message quotes, as its block page asks for; `null` without one. */
export const explanationAddress = (text: string): string | null => {
  const id = requestId.exec(text)?.[0];
  return id === undefined ? null : `/admin/firewall/explain/${id}`;
};

const MessageBody = ({ message }: { message: ContactMessage }) => {
  const explanation = explanationAddress(message.message);
  return (
    <div className="grid gap-6">
      <p className="wrap-anywhere whitespace-pre-wrap text-sm leading-6">{message.message}</p>
      <dl className="grid gap-x-6 gap-y-3 border-border border-t pt-5 text-sm sm:grid-cols-[8rem_1fr]">
        {labelled(message, { without: ["name", "message"] }).map(([label, content]) => (
          <Fact key={label} name={label}>
            {content}
          </Fact>
        ))}
        <Fact name={texts.received}>
          <time dateTime={message.createdAt}>{formatDateTime(message.createdAt)}</time>
        </Fact>
        {message.handledAt !== null && (
          <Fact name={texts.handledOn}>
            <time dateTime={message.handledAt}>{formatDateTime(message.handledAt)}</time>
          </Fact>
        )}
        {message.userId !== null && (
          <Fact name={texts.account}>
            <Link
              href={`/admin/users?search=${encodeURIComponent(message.email)}`}
              className="text-primary underline underline-offset-4"
            >
              {texts.showAccount}
            </Link>
          </Fact>
        )}
        {explanation !== null && (
          <Fact name={texts.request}>
            <Link href={explanation} className="text-primary underline underline-offset-4">
              {texts.showRequest}
            </Link>
          </Fact>
        )}
        <Fact name={texts.ip}>{message.ip}</Fact>
        <Fact name={texts.browser}>{message.userAgent ?? texts.unknown}</Fact>
      </dl>
    </div>
  );
};

/** The address that opens an email to someone in the reader's own email program (RFC 6068). */
export const replyAddress = ({ email, subject }: { email: string; subject: string }): string =>
  // The sign between name and host is written as it is.
  `mailto:${encodeURIComponent(email).replace("%40", "@")}?subject=${encodeURIComponent(subject)}`;
