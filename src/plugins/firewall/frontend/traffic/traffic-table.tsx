import {
  cn,
  formatDateTime,
  formatMs,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import { memo } from "react";
import type { TrafficRow } from "../../backend/wire.ts";
import { VerdictBadge } from "../parts/verdict-badge.tsx";
import { trafficTexts as texts } from "../texts.ts";

type TrafficTableProps = { rows: TrafficRow[]; onOpen: (id: string) => void };

// More than these nobody reads as they come; the filters find the others.
const mostShown = 200;

/** The requests, a row each; a press anywhere in a row opens it. */
export const TrafficTable = ({ rows, onOpen }: TrafficTableProps) => (
  <Table isWhole label={texts.table} className="text-[0.8125rem]">
    <TableHeader className="md:top-14" columns={columns} />
    <TableBody>
      {rows.slice(0, mostShown).map((row) => (
        <Row key={row.id} row={row} onOpen={onOpen} />
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes below the request.
const looks = {
  time: "max-md:hidden",
  address: "max-lg:hidden",
  who: "max-xl:hidden",
  status: "max-sm:hidden",
  duration: "text-right max-xl:hidden",
};
const columns = [
  { name: texts.columns.time, look: looks.time },
  { name: texts.columns.verdict, look: "max-md:pl-4" },
  { name: texts.columns.request },
  { name: texts.columns.address, look: looks.address },
  { name: texts.columns.who, look: looks.who },
  { name: texts.columns.status, look: looks.status },
  { name: texts.columns.duration, look: looks.duration },
];

// The rest is read in the sheet.
const shownLength = 160;

const RowOf = ({ row, onOpen }: { row: TrafficRow; onOpen: (id: string) => void }) => {
  const { id, at, verdict, address, country, method, path, user, status, durationMs, reasons } = row;
  const muted = "text-muted-foreground";
  const from = country === null ? address : `${address} (${country})`;
  return (
    <TableRow className="relative hover:bg-muted/60">
      <TableCell className={cn(looks.time, muted)}>
        <time dateTime={at} title={formatDateTime(at)}>
          {timeText(at)}
        </time>
      </TableCell>
      <TableCell className="max-md:pl-4">
        <VerdictBadge verdict={verdict} />
      </TableCell>
      {/* Without a width of its own it takes what the others leave, and cuts what is too long for it. */}
      <th scope="row" className="w-full max-w-0 px-3 py-1.5 text-left font-medium">
        <button
          type="button"
          aria-haspopup="dialog"
          title={path.slice(0, shownLength)}
          onClick={() => onOpen(id)}
          className="wrap-anywhere block w-full min-w-0 cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset max-md:line-clamp-2 md:truncate"
        >
          <span className={muted}>{method}</span> {path.slice(0, shownLength)}
        </button>
        {reasons.length > 0 && (
          <span
            className="wrap-anywhere block font-normal max-md:line-clamp-2 md:truncate"
            title={reasons.join("; ")}
          >
            {reasons.join("; ").slice(0, shownLength)}
          </span>
        )}
        <span className={cn("wrap-anywhere block font-normal text-xs xl:hidden", muted)}>
          <span className="md:hidden">{timeText(at)} · </span>
          <span className="lg:hidden">{from} · </span>
          <span>{user ?? texts.nobody}</span>
        </span>
      </th>
      <TableCell className={cn(looks.address, muted)}>{from}</TableCell>
      <TableCell className={cn("max-w-36 truncate", looks.who, muted)}>{user ?? "–"}</TableCell>
      <TableCell className={cn(looks.status, status >= 400 && "text-destructive")}>{status}</TableCell>
      <TableCell className={cn(looks.duration, muted)}>{formatMs(durationMs)}</TableCell>
    </TableRow>
  );
};

// A row never changes: hundreds of them need not be made anew with each that comes.
const Row = memo(RowOf, (before, after) => before.row === after.row);

const timeText = (at: string) =>
  new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }).format(new Date(at));
