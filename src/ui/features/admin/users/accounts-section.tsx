import { UserPlus } from "lucide-react";
import { useCallback, useState } from "react";
import type { UserList } from "#api/modules/users/contract.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { client } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { useSession } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { pageBounds } from "../list-filters.ts";
import { ListPager } from "../list-pager.tsx";
import { CreateUserDialog } from "./create-user-dialog.tsx";
import { KeepFocus } from "./keep-focus.tsx";
import { NoUsers } from "./no-users.tsx";
import { createTexts, usersTexts as texts } from "./texts.ts";
import type { ShowUsers, UserQuery } from "./user-query.ts";
import { UserSheet } from "./user-sheet.tsx";
import { UserTable, UserTableSkeleton } from "./user-table.tsx";
import { UserToolbar } from "./user-toolbar.tsx";

type SectionProps = { query: UserQuery; show: ShowUsers };

/** The accounts that match, a page at a time, with the details of one of them. */
export const AccountsSection = ({ query, show }: SectionProps) => {
  const { search, role, status, page } = query;
  const load = useCallback(async () => {
    const wanted = { search: search || undefined, role: role ?? undefined, status: status ?? undefined };
    return (await client.users.list({ ...pageBounds(page), ...wanted })).data;
  }, [search, role, status, page]);
  const { data, error, isLoading, reload } = useLoad(load);
  const [isAdding, setIsAdding] = useState(false);
  const turnTo = (next: number) => {
    show({ page: next }, "step");
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 grow">
          <UserToolbar query={query} onChange={(change) => show({ ...change, page: 1 }, "same-step")} />
        </div>
        <Button onClick={() => setIsAdding(true)} className="max-sm:w-full">
          <UserPlus aria-hidden="true" />
          {createTexts.open}
        </Button>
      </div>
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <UserTableSkeleton />}
      {data !== null && (
        <Card
          aria-busy={isLoading}
          className={cn(
            "overflow-hidden",
            (isLoading || error !== null) && "opacity-70 transition-opacity delay-200",
          )}
        >
          <KeepFocus of={data}>
            <Accounts data={data} query={query} show={show} />
          </KeepFocus>
          {data.pagination.total > 0 && (
            <ListPager {...data.pagination} page={page} onPage={turnTo} rows={data.users.length} />
          )}
        </Card>
      )}
      {query.user !== null && (
        <UserSheet
          key={query.user}
          id={query.user}
          onClose={() => show({ user: null }, "same-step")}
          onChange={reload}
        />
      )}
      {isAdding && <CreateUserDialog onClose={() => setIsAdding(false)} onCreated={reload} />}
    </>
  );
};

const Accounts = ({ data, query, show }: SectionProps & { data: UserList }) => {
  const { user } = useSession();
  if (data.users.length > 0) {
    return (
      // Anew for each page, so that its own scrolling begins at the top.
      <UserTable
        key={data.pagination.offset}
        users={data.users}
        ownId={user?.id ?? null}
        onOpen={(id) => show({ user: id }, "step")}
      />
    );
  }
  const { search, role, status } = query;
  if (data.pagination.total > 0) return <NoUsers title={texts.beyond} text={texts.beyondText} />;
  const isFiltered = role !== null || status !== null;
  if (search === "" && !isFiltered) return <NoUsers title={texts.none} text={texts.noneText} />;
  return (
    <NoUsers
      title={texts.noMatch}
      text={isFiltered ? texts.noMatchFilters : texts.noMatchText(search)}
      onShowAll={{
        label: texts.showAll,
        act: () => show({ search: "", role: null, status: null, page: 1 }, "step"),
      }}
    />
  );
};
