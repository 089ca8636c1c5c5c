import { useCallback } from "react";
import { useSearchParams } from "wouter";
import { Card } from "#ui/components/ui/card.tsx";
import { cn } from "#ui/lib/cn.ts";
import { AccessError } from "./access-error.tsx";
import { listUsers } from "./api.ts";
import { NoUsers } from "./no-users.tsx";
import { PageHeader } from "./page-header.tsx";
import { usersTexts as texts } from "./texts.ts";
import { useLoad } from "./use-load.ts";
import { pageBounds, readFilters, type UserFilters, writeFilters } from "./user-filters.ts";
import { UserPager } from "./user-pager.tsx";
import { UserSearch } from "./user-search.tsx";
import { UserTable, UserTableSkeleton } from "./user-table.tsx";

/** Everyone with an account, searchable, a page at a time; what is shown stands in the address bar. */
export const AdminUsersPage = () => {
  const [params, setParams] = useSearchParams();
  const { search, page } = readFilters(params);
  const load = useCallback(() => listUsers({ ...pageBounds(page), search }), [page, search]);
  const { data, error, isLoading, reload } = useLoad(load);
  const show = (filters: UserFilters, isSameStep: boolean) =>
    setParams(writeFilters(filters), { replace: isSameStep });
  const turnTo = (next: number) => {
    show({ search, page: next }, false);
    window.scrollTo({ top: 0 });
  };
  return (
    <div className="grid gap-6">
      <PageHeader title={texts.title} lead={texts.lead} />
      <UserSearch search={search} onSearch={(next) => show({ search: next, page: 1 }, true)} />
      {error !== null && <AccessError error={error} onRetry={reload} />}
      {data === null && error === null && <UserTableSkeleton />}
      {data !== null && (
        <Card
          aria-busy={isLoading}
          className={cn("overflow-hidden", isLoading && "opacity-70 transition-opacity delay-200")}
        >
          {data.users.length === 0 ? (
            <NoUsers search={search} total={data.pagination.total} />
          ) : (
            // Anew for each page, so that its own scrolling begins at the top.
            <UserTable key={data.pagination.offset} users={data.users} />
          )}
          {data.pagination.total > 0 && <UserPager {...data.pagination} page={page} onPage={turnTo} />}
        </Card>
      )}
    </div>
  );
};
