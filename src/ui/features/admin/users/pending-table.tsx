import type { PendingUser } from "#api/modules/users/contract.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { shortMoment } from "#ui/lib/short-moment.ts";
import { formatDateTime } from "../format.ts";
import { pendingTexts as texts } from "./texts.ts";

/** What can be done about a registration. */
export type PendingAct = "verify" | "remove";

/** One registration of an address, and how many of it wait. */
export type Registration = PendingUser["waiting"][number] & { email: string; rivals: number };

type PendingTableProps = {
  users: PendingUser[];
  onAct: (act: PendingAct, registration: Registration) => void;
};

/** The registrations of the addresses of one page, a row each: of several of one address only one is its owner's. */
export const PendingTable = ({ users, onAct }: PendingTableProps) => (
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
