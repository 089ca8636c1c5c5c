import { Inbox } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import { useSearchParams } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { PageHeader } from "#ui/features/admin/page-header.tsx";
import {
  EmptyList,
  type ListFilters,
  ListPager,
  ListSearch,
  pageBounds,
  readFilters,
  writeFilters,
} from "../features/admin/list-parts.tsx";
import { failureText } from "./api.ts";
import { useLoad } from "./use-load.ts";

/** Some rows of a list, and how many there are in all. */
type Found<Row> = { rows: Row[]; total: number; totalIsEstimate: boolean };

type ListPageProps<Row> = {
  title: string;
  lead?: ReactNode;
  /** What can be done on the page; `reload` is for what changes the list. */
  actions?: (reload: () => void, search: string) => ReactNode;
  /** Loads a page of what matches `search`. Declare it outside of components, so that it stays the same function. */
  load: (wanted: { search: string; limit: number; offset: number }) => Promise<Found<Row>>;
  searchHint?: string;
  /** What stands in place of a list without rows, and of one that a search has emptied. */
  none: string;
  children: (rows: Row[], reload: () => void) => ReactNode;
};

/** A page with a list: title, search, rows and the way to the others. Search and page are in the address bar. */
export const ListPage = <Row,>({
  title,
  lead,
  actions,
  load,
  searchHint = "Part of a text",
  none,
  children,
}: ListPageProps<Row>) => {
  const [params, setParams] = useSearchParams();
  const { search, page } = readFilters(params);
  const { data, error, reload } = useLoad(
    useCallback(() => load({ search, ...pageBounds(page) }), [load, search, page]),
  );
  const show = (filters: ListFilters) => setParams(writeFilters(filters), { replace: filters.page === 1 });
  return (
    <div className="grid gap-6">
      <PageHeader title={title} lead={lead} actions={actions?.(reload, search)} />
      <ListSearch search={search} hint={searchHint} onSearch={(text) => show({ search: text, page: 1 })} />
      {error !== null && (
        <Alert
          severity="error"
          actions={
            <Button variant="outline" size="sm" onClick={reload}>
              Try again
            </Button>
          }
        >
          {failureText(error, "The list could not be loaded.")}
        </Alert>
      )}
      {data === null && error === null && <Skeleton className="h-40" />}
      {data !== null && (
        <Card className="overflow-hidden">
          {data.rows.length === 0 ? (
            <EmptyList Icon={Inbox} title={search === "" ? none : `Nothing matches “${search}”.`} />
          ) : (
            children(data.rows, reload)
          )}
          {data.total > 0 && (
            <ListPager
              {...data}
              {...pageBounds(page)}
              page={page}
              rows={data.rows.length}
              onPage={(next) => show({ search, page: next })}
            />
          )}
        </Card>
      )}
    </div>
  );
};
