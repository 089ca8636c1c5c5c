import { UserRoundSearch } from "lucide-react";
import type { ListedUser } from "#api/modules/users/contract.ts";
import { userFields } from "#contract/field-marks.ts";
import { providerLabels, providerNames, type Role, roles, type User } from "#contract/users.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { formatDate, formatDateTime } from "../format.ts";
import { EmptyList, oneOf, readFilters, writeFilters } from "../list-parts.tsx";
import { roleTexts } from "../texts.ts";
import { usersTexts as texts } from "./texts.ts";

type UserTableProps = {
  users: ListedUser[];
  /** The reader's own id. */
  ownId: string | null;
  onOpen: (id: string) => void;
};

/** The users of one page, a row each; a press anywhere in a row opens its details. */
export const UserTable = ({ users, ownId, onOpen }: UserTableProps) => (
  <Table label={texts.table}>
    <TableHeader columns={columns} />
    <TableBody>
      {users.map((user) => (
        <UserRow key={user.id} user={user} isOwn={user.id === ownId} onOpen={() => onOpen(user.id)} />
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes, the least telling first; the address moves below the name.
const looks = {
  email: "max-lg:hidden",
  method: "max-xl:hidden",
  joined: "max-xl:hidden",
  seen: "max-md:hidden",
};
const columns = [
  { name: userFields.name.label },
  { name: userFields.email.label, look: looks.email },
  { name: userFields.role.label },
  { name: userFields.disabled.label },
  { name: texts.method, look: looks.method },
  { name: userFields.createdAt.label, look: looks.joined },
  { name: userFields.lastSeenAt.label, look: looks.seen },
];

type UserRowProps = { user: ListedUser; isOwn: boolean; onOpen: () => void };

const UserRow = ({ user, isOwn, onOpen }: UserRowProps) => (
  <TableRow className="relative hover:bg-muted/60">
    {/* Cells without a width of their own share what the others leave, and cut what is too long for it. */}
    <th scope="row" className="w-full max-w-0 py-1 pr-3 pl-4 text-left font-medium lg:w-2/5 lg:py-0">
      <span className="flex items-center gap-x-2 max-lg:flex-wrap">
        <button
          type="button"
          onClick={onOpen}
          title={user.name}
          aria-haspopup="dialog"
          className="wrap-anywhere min-h-6 min-w-0 cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset lg:h-10 lg:truncate"
        >
          {user.name}
        </button>
        {isOwn && <Badge tone="success">{texts.you}</Badge>}
      </span>
      <span className="wrap-anywhere line-clamp-2 font-normal text-[0.8125rem] text-muted-foreground lg:hidden">
        {user.email}
      </span>
    </th>
    <TableCell className={cn("w-2/5 max-w-0 truncate text-muted-foreground", looks.email)} title={user.email}>
      {user.email}
    </TableCell>
    <TableCell>
      {user.role === "admin" ? <Badge tone="primary">{roleTexts.admin}</Badge> : roleTexts.user}
    </TableCell>
    <TableCell>
      <StatusMark isDisabled={user.disabled} />
    </TableCell>
    <TableCell className={cn("text-muted-foreground", looks.method)}>{methodsOf(user)}</TableCell>
    <TableCell className={cn("text-muted-foreground", looks.joined)}>
      <time dateTime={user.createdAt}>{formatDate(user.createdAt)}</time>
    </TableCell>
    <TableCell className={cn("text-muted-foreground", looks.seen)}>
      {user.lastSeenAt === null ? (
        texts.never
      ) : (
        <time dateTime={user.lastSeenAt} title={formatDateTime(user.lastSeenAt)}>
          {formatDate(user.lastSeenAt)}
        </time>
      )}
    </TableCell>
  </TableRow>
);

const methodsOf = (user: ListedUser) => waysIn(user).join(", ") || userFields.email.label;

/** The table's shape while its rows are on their way. */
export const UserTableSkeleton = ({ label = texts.loading }: { label?: string }) => (
  <Card aria-busy="true" aria-label={label} className="divide-y divide-border">
    {["a", "b", "c", "d", "e", "f"].map((row) => (
      <div key={row} className="flex h-11 items-center gap-6 px-4 md:h-10">
        <Skeleton className="h-4 w-1/3" />
        <Skeleton className="h-4 w-1/5" />
        <Skeleton className="h-4 w-1/6" />
      </div>
    ))}
  </Card>
);

type NoUsersProps = {
  title: string;
  text?: string;
  /** The way back to all of them, where something hides them. */
  onShowAll?: { label: string; act: () => void } | undefined;
};

/** Shown in place of a list that would be empty, and says why. */
export const NoUsers = ({ title, text, onShowAll }: NoUsersProps) => (
  <EmptyList Icon={UserRoundSearch} title={title} text={text}>
    {onShowAll !== undefined && (
      <Button variant="outline" size="sm" className="mt-3" onClick={onShowAll.act}>
        {onShowAll.label}
      </Button>
    )}
  </EmptyList>
);

/** Whether a user may sign in, as a dot and a word. */
export const StatusMark = ({ isDisabled }: { isDisabled: boolean }) => (
  <span className="flex items-center gap-2">
    <span
      aria-hidden="true"
      className={cn("size-1.5 rounded-full", isDisabled ? "bg-destructive" : "bg-success")}
    />
    {isDisabled ? texts.statuses.disabled : texts.statuses.active}
  </span>
);

/** The providers that someone signs in through, as users know them. */
export const waysIn = ({ googleId, githubId }: Pick<User, "googleId" | "githubId">): string[] => {
  const linked = { google: googleId !== null, github: githubId !== null };
  return providerNames.filter((name) => linked[name]).map((name) => providerLabels[name]);
};

/** The lists of the page: who has an account, whose address waits for its verification, and who was invited. */
const userTabs = ["accounts", "pending", "invitations"] as const;
export type UserTab = (typeof userTabs)[number];

/** Whether a user may sign in. */
export const userStatuses = ["active", "disabled"] as const;
type UserStatus = (typeof userStatuses)[number];

/** What the page shows; `null` stands for any, and `user` is the id of the one whose details are open. */
export type UserQuery = {
  tab: UserTab;
  search: string;
  page: number;
  role: Role | null;
  status: UserStatus | null;
  user: string | null;
};

/** How a section changes what is shown; as a step of its own for Back, or as part of the one before. */
export type ShowUsers = (change: Partial<UserQuery>, how: "step" | "same-step") => void;

/** Reads what is to be shown from the address; what makes no sense counts as not given. */
export const readUserQuery = (params: URLSearchParams): UserQuery => ({
  ...readFilters(params),
  tab: oneOf(userTabs, params.get("tab")) ?? "accounts",
  role: oneOf(roles, params.get("role")),
  status: oneOf(userStatuses, params.get("status")),
  user: params.get("user"),
});

/** The same for the address; what is at its default is left out. */
export const writeUserQuery = ({ tab, role, status, user, ...list }: UserQuery): URLSearchParams => {
  const params = writeFilters(list);
  if (tab !== "accounts") params.set("tab", tab);
  for (const [name, value] of Object.entries({ role, status, user }))
    if (value !== null) params.set(name, value);
  return params;
};
