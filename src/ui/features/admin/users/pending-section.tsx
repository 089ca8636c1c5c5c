import { useCallback, useState } from "react";
import type { PendingList, PendingUser } from "#api/modules/users/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { client } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { formatDateTime } from "../format.ts";
import { KeepFocus, ListPager, ListSearch, pageBounds } from "../list-parts.tsx";
import { pendingTexts as texts, usersTexts } from "./texts.ts";
import { NoUsers, type ShowUsers, type UserQuery, UserTableSkeleton } from "./user-table.tsx";

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

/** What can be done about a registration. */
type PendingAct = "verify" | "remove";

/** One registration of an address, and how many of it wait. */
type Registration = PendingUser["waiting"][number] & { email: string; rivals: number };

type PendingTableProps = {
  users: PendingUser[];
  onAct: (act: PendingAct, registration: Registration) => void;
};

/** The registrations of the addresses of one page, a row each: of several of one address only one is its owner's. */
const PendingTable = ({ users, onAct }: PendingTableProps) => (
  <Table label={texts.table}>
    <TableHeader columns={columns} />
    <TableBody>
      {users.flatMap(registrationsOf).map((registration) => (
        <PendingRow
          key={registration.id}
          registration={registration}
          onAct={(act) => onAct(act, registration)}
        />
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes; the address moves below the name.
const looks = {
  email: "max-lg:hidden",
  registered: "max-md:hidden",
  mailed: "max-2xl:hidden",
  ends: "max-sm:hidden",
};
const columns = [
  { name: texts.columns.name },
  { name: texts.columns.email, look: looks.email },
  { name: texts.columns.registered, look: looks.registered },
  { name: texts.columns.mailed, look: looks.mailed },
  { name: texts.columns.ends, look: looks.ends },
  { name: texts.columns.actions },
];

const registrationsOf = ({ email, waiting }: PendingUser): Registration[] =>
  waiting.map((registration) => ({ ...registration, email, rivals: waiting.length }));

type PendingRowProps = { registration: Registration; onAct: (act: PendingAct) => void };

const PendingRow = ({ registration: user, onAct }: PendingRowProps) => (
  <TableRow>
    {/* Cells without a width of their own share what the others leave, and cut what is too long for it. */}
    <th scope="row" className="w-full max-w-0 py-2 pr-3 pl-4 text-left font-medium lg:w-2/5">
      <span className="flex items-center gap-2">
        <span className="truncate" title={user.name}>
          {user.name}
        </span>
        {user.rivals > 1 && <Badge>{texts.several(user.rivals)}</Badge>}
      </span>
      <span className="wrap-anywhere line-clamp-2 font-normal text-[0.8125rem] text-muted-foreground lg:hidden">
        {user.email}
      </span>
    </th>
    <TableCell className={cn("w-2/5 max-w-0 truncate text-muted-foreground", looks.email)} title={user.email}>
      {user.email}
    </TableCell>
    <TableCell className={cn("text-muted-foreground", looks.registered)}>
      <Moment iso={user.createdAt} />
      {user.mailedAt === null && <span className="block text-xs 2xl:hidden">{texts.mailWaits}</span>}
    </TableCell>
    <TableCell className={cn("text-muted-foreground", looks.mailed)}>
      {user.mailedAt === null ? texts.notMailed : <Moment iso={user.mailedAt} />}
    </TableCell>
    <TableCell className={cn("text-muted-foreground", looks.ends)}>
      <Moment iso={user.expiresAt} />
    </TableCell>
    <TableCell>
      <span className="flex gap-2 max-sm:flex-col">
        <Button
          variant="outline"
          size="sm"
          aria-label={user.rivals > 1 ? texts.verifyOne(user.name, user.email) : texts.verifyName(user.email)}
          onClick={() => onAct("verify")}
        >
          {texts.verify}
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={texts.removeName(user.email)}
          onClick={() => onAct("remove")}
        >
          {texts.remove}
        </Button>
      </span>
    </TableCell>
  </TableRow>
);

const Moment = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={formatDateTime(iso)}>
    {shortMoment(iso)}
  </time>
);
