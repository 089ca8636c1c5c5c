import { useCallback } from "react";
import { useSearchParams } from "wouter";
import { Card } from "#ui/components/ui/card.tsx";
import { client } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { noteUnread } from "#ui/lib/unread-messages.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { formatCount } from "../format.ts";
import { pageBounds } from "../list-filters.ts";
import { ListPager } from "../list-pager.tsx";
import { PageHeader } from "../page-header.tsx";
import {
  isNarrowed,
  type MessageFilters,
  readMessageFilters,
  wantedOf,
  writeMessageFilters,
} from "./message-filters.ts";
import { MessageSheet } from "./message-sheet.tsx";
import { MessageTable, MessageTableSkeleton } from "./message-table.tsx";
import { ExportLinks, MessageToolbar } from "./message-toolbar.tsx";
import { NoMessages } from "./no-messages.tsx";
import { messagesTexts as texts } from "./texts.ts";

/** What visitors wrote, newest first; what is shown, the open message too, stands in the address bar. */
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
            // Anew for each page, so that its own scrolling begins at the top.
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
