import { Download, Inbox } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { Link } from "wouter";
import type { ContactMessage } from "#api/modules/contact/contract.ts";
import { contactSubjects, labelled } from "#contract/contact-rules.ts";
import { pageLimits } from "#contract/limits.ts";
import { RequestButton } from "#ui/components/confirm-dialog.tsx";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { type Column, DataTable, pressableRow, RowButton } from "#ui/components/ui/table.tsx";
import {
  addressQuery,
  choice,
  idParam,
  oneOf,
  pageParam,
  textParam,
  useAddressQuery,
} from "#ui/lib/address-query.ts";
import { addressOf, client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { noteUnread } from "#ui/lib/unread-messages.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Fact } from "../facts.tsx";
import { formatCount, formatDate, formatDateTime } from "../format.ts";
import { LoadedData } from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { FilterSelect, ListSearch, NoRows, PagedList, pageBounds } from "../paged-list.tsx";
import { messagesTexts as texts } from "./texts.ts";

/** What visitors wrote, newest first; what is shown, the open message too, is in the address bar. */
export const AdminMessagesPage = () => {
  const [filters, show] = useAddressQuery(messageQuery);
  const { search, subject, status, page, message } = filters;
  const load = useCallback(async () => {
    const wanted = wantedOf({ search, subject, status });
    const { data: found } = await client.contact.list({ ...pageBounds(page), ...wanted });
    noteUnread(found.counts.unread);
    return found;
  }, [search, subject, status, page]);
  const loaded = useLoad(load);
  const { data, reload } = loaded;

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
      <MessageToolbar filters={filters} onFilter={(change) => show({ ...change, page: 1 }, "same-step")} />
      <PagedList
        loaded={loaded}
        loading={texts.loading}
        page={page}
        onPage={(next) => show({ page: next }, "step")}
        rowsOf={({ messages }) => messages}
      >
        {({ messages, pagination: { total } }) =>
          messages.length > 0 ? (
            <DataTable
              label={texts.table}
              columns={columnsFor((id) => show({ message: id }, "step"))}
              rows={messages}
              keyOf={({ id }) => id}
              rowLook={({ readAt }) => cn(pressableRow, readAt === null && "font-semibold")}
            />
          ) : (
            <NoRows
              Icon={Inbox}
              total={total}
              isNarrowed={isNarrowed(filters)}
              words={texts}
              onShowAll={() => show({ search: "", subject: null, status: null, page: 1 }, "step")}
            />
          )
        }
      </PagedList>
      {message !== null && (
        <MessageSheet
          key={message}
          id={message}
          onClose={() => show({ message: null }, "same-step")}
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
    <FilterSelect
      label={texts.subject}
      any={texts.anySubject}
      value={filters.subject ?? ""}
      options={contactSubjects.map((subject) => [subject, subject])}
      onChange={(subject) => onFilter({ subject: oneOf(contactSubjects, subject) })}
    />
    <FilterSelect
      label={texts.status}
      any={texts.anyStatus}
      value={filters.status ?? ""}
      options={Object.entries(texts.statuses)}
      onChange={(status) => onFilter({ status: oneOf(messageStatuses, status) })}
    />
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

// Enough for the widest window; the rest is read in the sheet.
const shownLength = 160;

// What a narrow window has no room for goes; subject and day move below the name.
// Cells without a width of their own share what the others leave, and cut what is too long for it.
const columnsFor = (onOpen: (id: string) => void): readonly Column<ContactMessage>[] => [
  {
    name: texts.columns.from,
    isHeading: true,
    cellLook: "py-1 md:w-1/3 md:py-0",
    cell: ({ id, name, email, subject, createdAt, readAt }) => (
      <>
        <span className={cn("flex items-center gap-2.5", readAt === null && "font-semibold")}>
          <span
            aria-hidden="true"
            className={cn("size-2 shrink-0 rounded-full", readAt === null ? "bg-primary" : "bg-transparent")}
          />
          <RowButton onClick={() => onOpen(id)} title={email} className="min-h-6 min-w-0 truncate md:h-10">
            {name}
            {readAt === null && <span className="sr-only"> ({texts.unread})</span>}
          </RowButton>
        </span>
        <span className="block pl-4.5 font-normal text-[0.8125rem] text-muted-foreground md:hidden">
          {subject} · {formatDate(createdAt)}
        </span>
      </>
    ),
  },
  { name: texts.columns.subject, look: "max-md:hidden", cell: ({ subject }) => subject },
  {
    name: texts.columns.message,
    look: "max-md:hidden",
    cellLook: "w-2/3 max-w-0 truncate",
    cell: ({ message, readAt }) => <span className={readLook(readAt)}>{message.slice(0, shownLength)}</span>,
  },
  {
    name: texts.columns.received,
    look: "max-lg:hidden",
    cell: ({ createdAt, readAt }) => (
      <time dateTime={createdAt} title={formatDateTime(createdAt)} className={readLook(readAt)}>
        {formatDate(createdAt)}
      </time>
    ),
  },
  {
    name: texts.columns.status,
    cell: ({ handledAt }) => (
      <Badge tone={handledAt === null ? "primary" : "neutral"}>
        {handledAt === null ? texts.statuses.open : texts.statuses.handled}
      </Badge>
    ),
  },
];

const readLook = (readAt: string | null) => (readAt === null ? "" : "text-muted-foreground");

/** Whether messages still need someone. */
const messageStatuses = ["open", "handled"] as const;

/** What the page of messages shows; `null` stands for any, and `message` is the one that is open. */
export const messageQuery = addressQuery({
  search: textParam(),
  page: pageParam,
  subject: choice(contactSubjects, null),
  status: choice(messageStatuses, null),
  message: idParam,
});
type MessageFilters = ReturnType<typeof messageQuery.read>;

/** Whether anything but the page narrows the list. */
const isNarrowed = ({ search, subject, status }: MessageFilters): boolean =>
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
  const loaded = useLoad(load);
  const { data, reload } = loaded;
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
            <RequestButton
              variant="outline"
              size="sm"
              className="sm:ml-auto"
              asks={{
                title: texts.deleteTitle,
                question: texts.deleteText(data.name),
                action: texts.deleteConfirm,
                fallback: texts.deleteFailed,
                send: () => client.contact.remove({ id }),
                onDone: () => {
                  onClose();
                  onChange();
                },
              }}
            >
              {texts.delete}
            </RequestButton>
          </>
        )
      }
    >
      <LoadedData loaded={loaded} skeleton={<Skeleton className="h-40 w-full" />}>
        {(message) => (
          <>
            {handling.error !== null && (
              <Alert severity="error" className="mb-5">
                {failureText(handling.error, texts.changeFailed)}
              </Alert>
            )}
            <MessageBody message={message} />
          </>
        )}
      </LoadedData>
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
