import {
  Button,
  cn,
  formatCount,
  formatDateTime,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import type { Ban } from "../../backend/wire.ts";
import { banTexts as texts } from "../rule-texts.ts";

type BanTableProps = {
  bans: Ban[];
  /** The address whose ban is being lifted. */
  busy: string | null;
  onLift: (address: string) => void;
};

const looks = {
  reason: "max-lg:hidden",
  until: "max-md:hidden",
  times: "text-right max-xl:hidden",
  hits: "text-right max-sm:hidden",
};
const columns = [
  { name: texts.columns.address },
  { name: texts.columns.reason, look: looks.reason },
  { name: texts.columns.until, look: looks.until },
  { name: texts.columns.times, look: looks.times },
  { name: texts.columns.hits, look: looks.hits },
  { name: texts.columns.act, look: "text-right" },
];

/** The bans, newest first. */
export const BanTable = ({ bans, busy, onLift }: BanTableProps) => (
  <Table isWhole label={texts.table}>
    <TableHeader className="md:top-14" columns={columns} />
    <TableBody>
      {bans.map((ban) => (
        <Row key={ban.address} ban={ban} isBusy={busy === ban.address} onLift={() => onLift(ban.address)} />
      ))}
    </TableBody>
  </Table>
);

const Row = ({ ban, isBusy, onLift }: { ban: Ban; isBusy: boolean; onLift: () => void }) => {
  const { address, reason, author, until, times, hits } = ban;
  const muted = "text-muted-foreground";
  const why = `${reason} · ${author === "" ? texts.byItself : texts.by(author)}`;
  return (
    <TableRow>
      <th
        scope="row"
        className="py-1.5 pr-3 pl-4 text-left font-medium max-lg:w-full max-lg:max-w-0 lg:whitespace-nowrap"
      >
        <span className="wrap-anywhere font-mono text-[0.8125rem]">{address}</span>
        <span className={cn("wrap-anywhere block font-normal text-[0.8125rem] lg:hidden", muted)}>{why}</span>
        <span className={cn("block font-normal text-[0.8125rem] md:hidden", muted)}>
          {texts.columns.until} {formatDateTime(until)}
        </span>
      </th>
      <TableCell className={cn("wrap-anywhere w-full whitespace-normal", looks.reason, muted)}>
        {why}
      </TableCell>
      <TableCell className={looks.until}>
        <time dateTime={until}>{formatDateTime(until)}</time>
      </TableCell>
      <TableCell className={looks.times}>{formatCount(times)}</TableCell>
      <TableCell className={looks.hits}>{formatCount(hits)}</TableCell>
      <TableCell className="text-right">
        <Button
          variant="outline"
          size="sm"
          isBusy={isBusy}
          aria-label={texts.liftOne(address)}
          onClick={onLift}
        >
          {texts.lift}
        </Button>
      </TableCell>
    </TableRow>
  );
};
