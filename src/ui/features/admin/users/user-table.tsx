import type { ListedUser } from "#api/modules/users/contract.ts";
import { userFields } from "#contract/field-marks.ts";
import { providerLabels, providerNames, roles, type User } from "#contract/users.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { type Column, DataTable, pressableRow, RowButton } from "#ui/components/ui/table.tsx";
import { addressQuery, choice, idParam, pageParam, type Step, textParam } from "#ui/lib/address-query.ts";
import { cn } from "#ui/lib/cn.ts";
import { formatDate, formatDateTime } from "../format.ts";

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
  <DataTable
    label={texts.table}
    columns={columnsFor(ownId, onOpen)}
    rows={users}
    keyOf={({ id }) => id}
    rowLook={pressableRow}
  />
);

// What a narrow window has no room for goes, the least telling first; the address moves below the name.
const columnsFor = (ownId: string | null, onOpen: (id: string) => void): readonly Column<ListedUser>[] => [
  {
    name: userFields.name.label,
    isHeading: true,
    // Cells without a width of their own share what the others leave, and cut what is too long for it.
    cellLook: "py-1 lg:w-2/5 lg:py-0",
    cell: ({ id, name, email }) => (
      <>
        <span className="flex items-center gap-x-2 max-lg:flex-wrap">
          <RowButton
            onClick={() => onOpen(id)}
            title={name}
            aria-haspopup="dialog"
            className="wrap-anywhere min-h-6 min-w-0 lg:h-10 lg:truncate"
          >
            {name}
          </RowButton>
          {id === ownId && <Badge tone="success">{texts.you}</Badge>}
        </span>
        <span className="wrap-anywhere line-clamp-2 font-normal text-[0.8125rem] text-muted-foreground lg:hidden">
          {email}
        </span>
      </>
    ),
  },
  {
    name: userFields.email.label,
    look: "max-lg:hidden",
    cellLook: "w-2/5 max-w-0 truncate text-muted-foreground",
    titleOf: ({ email }) => email,
    cell: ({ email }) => email,
  },
  {
    name: userFields.role.label,
    cell: ({ role }) => (role === "admin" ? <Badge tone="primary">{roleTexts.admin}</Badge> : roleTexts.user),
  },
  { name: userFields.disabled.label, cell: ({ disabled }) => <StatusMark isDisabled={disabled} /> },
  {
    name: texts.method,
    look: "max-xl:hidden",
    cellLook: "text-muted-foreground",
    cell: (user) => waysIn(user).join(", ") || userFields.email.label,
  },
  {
    name: userFields.createdAt.label,
    look: "max-xl:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
  },
  {
    name: userFields.lastSeenAt.label,
    look: "max-md:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ lastSeenAt }) =>
      lastSeenAt === null ? (
        texts.never
      ) : (
        <time dateTime={lastSeenAt} title={formatDateTime(lastSeenAt)}>
          {formatDate(lastSeenAt)}
        </time>
      ),
  },
];

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

/** What the page shows; `null` stands for any, and `user` is the id of the one whose details are open. */
export const userQuery = addressQuery({
  search: textParam(),
  page: pageParam,
  tab: choice(userTabs, "accounts"),
  role: choice(roles, null),
  status: choice(userStatuses, null),
  user: idParam,
});
export type UserQuery = ReturnType<typeof userQuery.read>;

/** How a section changes what is shown. */
export type ShowUsers = (change: Partial<UserQuery>, how: Step) => void;
