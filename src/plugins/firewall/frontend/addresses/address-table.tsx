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
import type { AddressEntry } from "../../backend/wire.ts";
import { addressTexts as texts } from "../rule-texts.ts";

type AddressTableProps = {
  entries: AddressEntry[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onOpen: (entry: AddressEntry) => void;
};

const looks = {
  note: "max-lg:hidden",
  until: "max-md:hidden",
  author: "max-xl:hidden",
  hits: "text-right",
};
const columns = [
  { name: texts.columns.choose, look: "w-11 text-[0px]" },
  { name: texts.columns.range },
  { name: texts.columns.kind },
  { name: texts.columns.note, look: looks.note },
  { name: texts.columns.until, look: looks.until },
  { name: texts.columns.author, look: looks.author },
  { name: texts.columns.hits, look: looks.hits },
];

/** The entries of one page; a press on a range opens it, a tick chooses it. */
export const AddressTable = ({ entries, chosen, onChoose, onOpen }: AddressTableProps) => {
  const isAll = entries.every(({ id }) => chosen.has(id));
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <>
      <Choice
        label={texts.chooseAll}
        checked={isAll}
        onChange={() => onChoose(isAll ? new Set() : new Set(entries.map(({ id }) => id)))}
      />
      <Table isWhole label={texts.table}>
        <TableHeader className="md:top-14" columns={columns} />
        <TableBody>
          {entries.map((entry) => (
            <Row
              key={entry.id}
              entry={entry}
              isChosen={chosen.has(entry.id)}
              onChoose={() => toggle(entry.id)}
              onOpen={() => onOpen(entry)}
            />
          ))}
        </TableBody>
      </Table>
    </>
  );
};

type RowProps = { entry: AddressEntry; isChosen: boolean; onChoose: () => void; onOpen: () => void };

const Row = ({ entry, isChosen, onChoose, onOpen }: RowProps) => {
  const { kind, range, note, author, expiresAt, hits } = entry;
  const muted = "text-muted-foreground";
  return (
    <TableRow className={cn("relative hover:bg-muted/60", isChosen && "bg-primary/5")}>
      <TableCell className="relative z-10 w-11 p-0 first:pl-1">
        <Choice isOnlyBox label={texts.choose(range)} checked={isChosen} onChange={onChoose} />
      </TableCell>
      <th
        scope="row"
        className="px-3 py-1.5 text-left font-medium max-lg:w-full max-lg:max-w-0 lg:whitespace-nowrap"
      >
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpen}
          className="wrap-anywhere min-h-6 cursor-pointer text-left font-mono text-[0.8125rem] outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
        >
          {range}
        </button>
        <span className={cn("wrap-anywhere block font-normal text-[0.8125rem] lg:hidden", muted)}>
          {note}
          <span className="md:hidden">
            {note !== "" && " · "}
            <Until expiresAt={expiresAt} />
          </span>
        </span>
      </th>
      <TableCell>
        <Badge tone={kind === "allow" ? "success" : "danger"}>{texts.kinds[kind]}</Badge>
      </TableCell>
      <TableCell className={cn("w-full max-w-0 truncate", looks.note, muted)} title={note}>
        {note}
      </TableCell>
      <TableCell className={cn(looks.until, muted)}>
        <Until expiresAt={expiresAt} />
      </TableCell>
      <TableCell className={cn("max-w-40 truncate", looks.author, muted)} title={author}>
        {author}
      </TableCell>
      <TableCell className={looks.hits}>{formatCount(hits)}</TableCell>
    </TableRow>
  );
};

const Until = ({ expiresAt }: { expiresAt: string | null }) => {
  if (expiresAt === null) return texts.forGood;
  if (Date.parse(expiresAt) <= Date.now()) return texts.expired;
  return <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>;
};

type ChoiceProps = { label: string; isOnlyBox?: boolean; checked: boolean; onChange: () => void };

const Choice = ({ label, isOnlyBox = false, checked, onChange }: ChoiceProps) => (
  <label
    className={cn(
      "cursor-pointer",
      isOnlyBox
        ? "grid size-11 place-items-center md:size-10"
        : "flex min-h-11 items-center gap-3 border-border border-b px-4 text-[0.8125rem] md:min-h-9",
    )}
  >
    <input
      type="checkbox"
      checked={checked}
      onChange={onChange}
      className="size-4.5 shrink-0 accent-primary focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring md:size-4"
    />
    <span className={cn(isOnlyBox && "sr-only")}>{label}</span>
  </label>
);
