import {
  Badge,
  cn,
  formatCount,
  formatDateTime,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import type { ReplayRow } from "../../backend/wire.ts";
import { replayTexts as texts } from "../rule-texts.ts";

const looks = { address: "max-lg:hidden", time: "max-md:hidden" };
const columns = [
  { name: texts.columns.request },
  { name: texts.columns.who },
  { name: texts.columns.address, look: looks.address },
  { name: texts.columns.time, look: looks.time },
];

/** Requests that the draft would stop and what is in force does not. */
export const ReplayTable = ({ rows, total }: { rows: ReplayRow[]; total: number }) => (
  <section aria-labelledby="firewall-replay-rows" className="border-border border-t">
    <h3 id="firewall-replay-rows" className="px-5 pt-4 pb-3 font-medium text-sm">
      {texts.rows}
      {total > rows.length && (
        <span className="font-normal text-muted-foreground">
          {" "}
          · {texts.mostRows(formatCount(rows.length))}
        </span>
      )}
    </h3>
    <Table label={texts.rows} className="text-[0.8125rem]">
      <TableHeader columns={columns} />
      <TableBody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </TableBody>
    </Table>
  </section>
);

const Row = ({ row }: { row: ReplayRow }) => {
  const { at, method, path, query, address, country, role, user, isOwn, reasons } = row;
  const muted = "text-muted-foreground";
  const from = country === null ? address : `${address} (${country})`;
  return (
    <TableRow className={cn(role === "admin" && "bg-warning/8")}>
      <th scope="row" className="w-full max-w-0 py-1.5 pr-3 pl-4 text-left font-medium">
        <span className="wrap-anywhere block max-md:line-clamp-3 md:truncate" title={path}>
          <span className={muted}>{method}</span> {path}
          {query !== "" && <span className={cn("font-normal", muted)}>?{query}</span>}
        </span>
        <span className="wrap-anywhere block font-normal">{reasons.join("; ")}</span>
        <span className={cn("wrap-anywhere block font-normal text-xs lg:hidden", muted)}>
          {from}
          <span className="md:hidden"> · {formatDateTime(at)}</span>
        </span>
      </th>
      <TableCell>
        <span className="flex flex-wrap items-center gap-1.5">
          {role === "admin" && <Badge tone="warning">{isOwn ? texts.own : texts.admin}</Badge>}
          {role !== "admin" && isOwn && <Badge tone="warning">{texts.own}</Badge>}
          <span className={cn("max-w-32 truncate", muted)}>{user ?? "–"}</span>
        </span>
      </TableCell>
      <TableCell className={cn(looks.address, muted)}>{from}</TableCell>
      <TableCell className={cn(looks.time, muted)}>
        <time dateTime={at}>{formatDateTime(at)}</time>
      </TableCell>
    </TableRow>
  );
};
