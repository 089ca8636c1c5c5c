import { UserRoundSearch } from "lucide-react";
import { useCallback, useState } from "react";
import type { PendingUser } from "#api/modules/users/contract.ts";
import { RequestDialog } from "#ui/components/confirm-dialog.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { type Column, DataTable } from "#ui/components/ui/table.tsx";
import { client } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { ShortMoment } from "../facts.tsx";
import { ListSearch, NoRows, PagedList, pageBounds } from "../paged-list.tsx";
import { pendingTexts as texts, usersTexts } from "./texts.ts";
import type { ShowUsers, UserQuery } from "./user-table.tsx";

type Asked = { act: PendingAct; user: Registration };

/** The addresses that wait for their verification and match, a page at a time, with what can be done about each. */
export const PendingSection = ({ query, show }: { query: UserQuery; show: ShowUsers }) => {
  const { search, page } = query;
  const load = useCallback(
    async () => (await client.users.pending({ ...pageBounds(page), search: search || undefined })).data,
    [search, page],
  );
  const loaded = useLoad(load);
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <>
      <ListSearch search={search} onSearch={(next) => show({ search: next, page: 1 }, "same-step")} />
      <PagedList
        loaded={loaded}
        loading={texts.loading}
        page={page}
        onPage={(next) => show({ page: next }, "step")}
      >
        {({ users, pagination: { total } }) =>
          users.length > 0 ? (
            <DataTable
              label={texts.table}
              columns={columnsFor((act, user) => setAsked({ act, user }))}
              rows={users.flatMap(registrationsOf)}
              keyOf={({ id }) => id}
            />
          ) : (
            <NoRows
              Icon={UserRoundSearch}
              total={total}
              isNarrowed={search !== ""}
              words={{ ...texts, noMatchText: usersTexts.noMatchText(search) }}
            />
          )
        }
      </PagedList>
      {asked !== null && <PendingQuestion {...asked} onClose={() => setAsked(null)} onDone={loaded.reload} />}
    </>
  );
};

type PendingQuestionProps = Asked & { onClose: () => void; onDone: () => void };

const PendingQuestion = ({ act, user, onClose, onDone }: PendingQuestionProps) => {
  const isVerify = act === "verify";
  return (
    <RequestDialog
      onClose={onClose}
      title={isVerify ? texts.verifyTitle : texts.removeTitle}
      question={isVerify ? texts.verifyText(user.name, user.email) : texts.removeText(user.email)}
      action={isVerify ? texts.verify : texts.removeConfirm}
      isDangerous={!isVerify}
      fallback={isVerify ? texts.verifyFailed : texts.removeFailed}
      send={() => client.users[isVerify ? "verifyPending" : "removePending"]({ user: user.id })}
      onDone={onDone}
    />
  );
};

/** What can be done about a registration. */
type PendingAct = "verify" | "remove";

/** One registration of an address, and how many of it wait. */
type Registration = PendingUser["waiting"][number] & { email: string; rivals: number };

const registrationsOf = ({ email, waiting }: PendingUser): Registration[] =>
  waiting.map((registration) => ({ ...registration, email, rivals: waiting.length }));

// What a narrow window has no room for goes; the address moves below the name.
const columnsFor = (
  onAct: (act: PendingAct, registration: Registration) => void,
): readonly Column<Registration>[] => [
  {
    name: texts.columns.name,
    isHeading: true,
    // Cells without a width of their own share what the others leave, and cut what is too long for it.
    cellLook: "py-2 lg:w-2/5",
    cell: ({ name, email, rivals }) => (
      <>
        <span className="flex items-center gap-2">
          <span className="truncate" title={name}>
            {name}
          </span>
          {rivals > 1 && <Badge>{texts.several(rivals)}</Badge>}
        </span>
        <span className="wrap-anywhere line-clamp-2 font-normal text-[0.8125rem] text-muted-foreground lg:hidden">
          {email}
        </span>
      </>
    ),
  },
  {
    name: texts.columns.email,
    look: "max-lg:hidden",
    cellLook: "w-2/5 max-w-0 truncate text-muted-foreground",
    titleOf: ({ email }) => email,
    cell: ({ email }) => email,
  },
  {
    name: texts.columns.registered,
    look: "max-md:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ createdAt, mailedAt }) => (
      <>
        <ShortMoment iso={createdAt} />
        {mailedAt === null && <span className="block text-xs 2xl:hidden">{texts.mailWaits}</span>}
      </>
    ),
  },
  {
    name: texts.columns.mailed,
    look: "max-2xl:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ mailedAt }) => (mailedAt === null ? texts.notMailed : <ShortMoment iso={mailedAt} />),
  },
  {
    name: texts.columns.ends,
    look: "max-sm:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ expiresAt }) => <ShortMoment iso={expiresAt} />,
  },
  {
    name: texts.columns.actions,
    cell: (user) => (
      <span className="flex gap-2 max-sm:flex-col">
        <Button
          variant="outline"
          size="sm"
          aria-label={user.rivals > 1 ? texts.verifyOne(user.name, user.email) : texts.verifyName(user.email)}
          onClick={() => onAct("verify", user)}
        >
          {texts.verify}
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={texts.removeName(user.email)}
          onClick={() => onAct("remove", user)}
        >
          {texts.remove}
        </Button>
      </span>
    ),
  },
];
