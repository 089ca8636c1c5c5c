import {
  cn,
  formatCount,
  formatDateTime,
  Link,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import type { JournalEntry } from "../../backend/wire.ts";
import { withLocalTimes } from "../parts/local-times.ts";
import { VerdictBadge } from "../parts/verdict-badge.tsx";
import { pathOf } from "../place.ts";
import { explainTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";

const looks = { time: "max-md:hidden", address: "max-lg:hidden", score: "text-right max-sm:hidden" };
const columns = [
  { name: texts.columns.time, look: looks.time },
  { name: texts.columns.verdict, look: "max-md:pl-4" },
  { name: texts.columns.request },
  { name: texts.columns.address, look: looks.address },
  { name: texts.columns.score, look: looks.score },
];

/** Requests that were written down, a row each, which leads to the explanation. */
export const JournalTable = ({ entries }: { entries: JournalEntry[] }) => {
  const { api } = useFirewall();
  return (
    <Table isWhole label={texts.table} className="text-[0.8125rem]">
      <TableHeader className="md:top-14" columns={columns} />
      <TableBody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} href={api.addressOf(pathOf("explain", entry.id))} />
        ))}
      </TableBody>
    </Table>
  );
};

const Row = ({ entry, href }: { entry: JournalEntry; href: string }) => {
  const { at, verdict, method, path, address, country, score, reasons } = entry;
  const muted = "text-muted-foreground";
  const from = country === null ? address : `${address} (${country})`;
  const why = withLocalTimes(reasons.map(({ text }) => text).join("; "));
  return (
    <TableRow className="relative hover:bg-muted/60">
      <TableCell className={cn(looks.time, muted)}>
        <time dateTime={at}>{formatDateTime(at)}</time>
      </TableCell>
      <TableCell className="max-md:pl-4">
        <VerdictBadge verdict={verdict} />
      </TableCell>
      <th scope="row" className="w-full max-w-0 px-3 py-1.5 text-left font-medium">
        <Link
          href={href}
          title={path}
          className="wrap-anywhere block outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset max-md:line-clamp-2 md:truncate"
        >
          <span className={muted}>{method}</span> {path}
        </Link>
        <span className="wrap-anywhere block font-normal max-md:line-clamp-2 md:truncate" title={why}>
          {why}
        </span>
        <span className={cn("wrap-anywhere block font-normal text-xs lg:hidden", muted)}>
          {from}
          <span className="md:hidden"> · {formatDateTime(at)}</span>
        </span>
      </th>
      <TableCell className={cn(looks.address, muted)}>{from}</TableCell>
      <TableCell className={looks.score}>{formatCount(score)}</TableCell>
    </TableRow>
  );
};
