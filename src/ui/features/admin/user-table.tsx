import { Badge } from "#ui/components/ui/badge.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import type { ListedUser } from "./api.ts";
import { formatDate, formatDateTime } from "./format.ts";
import { usersTexts as texts } from "./texts.ts";

/** The users of one page, a row each. */
export const UserTable = ({ users }: { users: ListedUser[] }) => (
  <Table label={texts.table}>
    <TableHeader>
      <tr>
        {Object.values(texts.columns).map((name) => (
          <TableHead key={name}>{name}</TableHead>
        ))}
      </tr>
    </TableHeader>
    <TableBody>
      {users.map((user) => (
        <UserRow key={user.id} user={user} />
      ))}
    </TableBody>
  </Table>
);

const UserRow = ({ user }: { user: ListedUser }) => (
  <TableRow>
    <th scope="row" className="max-w-48 truncate pr-3 pl-4 text-left font-medium" title={user.name}>
      {user.name}
    </th>
    <TableCell className="max-w-60 truncate text-muted-foreground" title={user.email}>
      {user.email}
    </TableCell>
    <TableCell>
      {user.role === "admin" ? <Badge tone="primary">{texts.roles.admin}</Badge> : texts.roles.user}
    </TableCell>
    <TableCell>
      <span className="flex items-center gap-2">
        <span
          aria-hidden="true"
          className={cn("size-1.5 rounded-full", user.disabled ? "bg-destructive" : "bg-success")}
        />
        {user.disabled ? texts.disabled : texts.active}
      </span>
    </TableCell>
    <TableCell className="text-muted-foreground">{methods(user).join(", ")}</TableCell>
    <TableCell className="text-muted-foreground">
      <time dateTime={user.createdAt}>{formatDate(user.createdAt)}</time>
    </TableCell>
    <TableCell className="text-muted-foreground">
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

const methods = ({ googleId, githubId }: ListedUser) => {
  const linked = [googleId !== null && "Google", githubId !== null && "GitHub"].filter(
    (name) => name !== false,
  );
  return linked.length === 0 ? ["Email"] : linked;
};

/** The table's shape while its rows are on their way. */
export const UserTableSkeleton = () => (
  <Card aria-busy="true" aria-label={texts.loading} className="divide-y divide-border">
    {["a", "b", "c", "d", "e", "f"].map((row) => (
      <div key={row} className="flex h-10 items-center gap-6 px-4">
        <Skeleton className="h-4 w-1/3" />
        <Skeleton className="h-4 w-1/5" />
        <Skeleton className="h-4 w-1/6" />
      </div>
    ))}
  </Card>
);
