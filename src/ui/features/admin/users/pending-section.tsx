import { useCallback, useState } from "react";
import type { PendingList } from "#api/modules/users/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { client } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { pageBounds } from "../list-filters.ts";
import { ListPager } from "../list-pager.tsx";
import { ListSearch } from "../list-search.tsx";
import { KeepFocus } from "./keep-focus.tsx";
import { NoUsers } from "./no-users.tsx";
import { type PendingAct, PendingTable, type Registration } from "./pending-table.tsx";
import { pendingTexts as texts, usersTexts } from "./texts.ts";
import type { ShowUsers, UserQuery } from "./user-query.ts";
import { UserTableSkeleton } from "./user-table.tsx";

type Asked = { act: PendingAct; user: Registration };

/** The addresses that wait for their verification and match, a page at a time, with what can be done about each. */
export const PendingSection = ({ query, show }: { query: UserQuery; show: ShowUsers }) => {
  const { search, page } = query;
  const load = useCallback(
    async () => (await client.users.pending({ ...pageBounds(page), search: search || undefined })).data,
    [search, page],
  );
  const { data, error, isLoading, reload } = useLoad(load);
  const [asked, setAsked] = useState<Asked | null>(null);
  const turnTo = (next: number) => {
    show({ page: next }, "step");
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <ListSearch search={search} onSearch={(next) => show({ search: next, page: 1 }, "same-step")} />
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <UserTableSkeleton label={texts.loading} />}
      {data !== null && (
        <Card
          aria-busy={isLoading}
          className={cn(
            "overflow-hidden",
            (isLoading || error !== null) && "opacity-70 transition-opacity delay-200",
          )}
        >
          <KeepFocus of={data}>
            <Registrations data={data} search={search} onAct={(act, user) => setAsked({ act, user })} />
          </KeepFocus>
          {data.pagination.total > 0 && <ListPager {...data.pagination} page={page} onPage={turnTo} />}
        </Card>
      )}
      {asked !== null && <PendingQuestion {...asked} onClose={() => setAsked(null)} onDone={reload} />}
    </>
  );
};

type RegistrationsProps = {
  data: PendingList;
  search: string;
  onAct: (act: PendingAct, user: Registration) => void;
};

const Registrations = ({ data, search, onAct }: RegistrationsProps) => {
  if (data.users.length > 0)
    return <PendingTable key={data.pagination.offset} users={data.users} onAct={onAct} />;
  if (data.pagination.total > 0) return <NoUsers title={usersTexts.beyond} text={usersTexts.beyondText} />;
  if (search === "") return <NoUsers title={texts.none} text={texts.noneText} />;
  return <NoUsers title={texts.noMatch} text={usersTexts.noMatchText(search)} />;
};

type PendingQuestionProps = Asked & { onClose: () => void; onDone: () => void };

const PendingQuestion = ({ act, user, onClose, onDone }: PendingQuestionProps) => {
  const isVerify = act === "verify";
  const confirm = async () => {
    const named = { user: user.id };
    const { message } = await (isVerify
      ? client.users.verifyPending(named)
      : client.users.removePending(named));
    notify({ tone: "success", message });
    onClose();
    onDone();
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isVerify ? texts.verifyTitle : texts.removeTitle}
      question={isVerify ? texts.verifyText(user.name, user.email) : texts.removeText(user.email)}
      action={isVerify ? texts.verify : texts.removeConfirm}
      isDangerous={!isVerify}
      fallback={isVerify ? texts.verifyFailed : texts.removeFailed}
      onConfirm={confirm}
    />
  );
};
