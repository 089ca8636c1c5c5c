import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { formatDateTime } from "../format.ts";
import type { PendingUser } from "./api.ts";
import { pendingTexts as texts } from "./texts.ts";

/** What can be done about a registration. */
export type PendingAct = "verify" | "remove";

type PendingTableProps = {
  users: PendingUser[];
  onAct: (act: PendingAct, user: PendingUser) => void;
};

/** The registrations of one page, a row an address. */
export const PendingTable = ({ users, onAct }: PendingTableProps) => (
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
        <PendingRow key={user.id} user={user} onAct={(act) => onAct(act, user)} />
      ))}
    </TableBody>
  </Table>
);

const PendingRow = ({ user, onAct }: { user: PendingUser; onAct: (act: PendingAct) => void }) => (
  <TableRow>
    <th scope="row" className="max-w-56 pr-3 pl-4 text-left font-medium">
      <span className="flex items-center gap-2">
        <span className="truncate" title={user.name}>
          {user.name}
        </span>
        {user.registrations > 1 && <Badge>{texts.several(user.registrations)}</Badge>}
      </span>
    </th>
    <TableCell className="max-w-60 truncate text-muted-foreground" title={user.email}>
      {user.email}
    </TableCell>
    <TableCell className="text-muted-foreground">
      <Moment iso={user.createdAt} />
    </TableCell>
    <TableCell className="text-muted-foreground">
      {user.mailedAt === null ? texts.notMailed : <Moment iso={user.mailedAt} />}
    </TableCell>
    <TableCell className="text-muted-foreground">
      <Moment iso={user.expiresAt} />
    </TableCell>
    <TableCell>
      <span className="flex gap-2">
        <Button
          variant="outline"
          size="sm"
          aria-label={texts.verifyName(user.email)}
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

const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{formatDateTime(iso)}</time>;
