import {
  Alert,
  Badge,
  Button,
  buttonVariants,
  cn,
  formatCount,
  formatDateTime,
  ListSearch,
} from "@atrium/plugin-sdk/ui";
import { Download, Network, Plus, Upload } from "lucide-react";
import { useCallback, useState } from "react";
import type { AddressEntry } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { ChoiceField } from "../parts/forms.tsx";
import { type Column, Listed, RowList, useQuery } from "../parts/lists.tsx";
import { useRowActions } from "../parts/use-row-actions.ts";
import { addressTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useRuleLoad, useSaver } from "../use-firewall.ts";
import { AddressDialog } from "./address-dialog.tsx";
import { pageSize, readQuery } from "./address-query.ts";
import { ImportDialog } from "./import-dialog.tsx";

type Opened = { what: "add" } | { what: "import" } | { what: "edit"; entry: AddressEntry };

/** Whom the firewall always lets in, and whom it keeps out. */
export const AddressesPage = () => {
  const { calls } = useFirewall();
  const { params, set } = useQuery();
  const { kind, search, sort, page } = readQuery(params);
  const load = useCallback(
    () => calls.addresses({ kind, search, sort, limit: pageSize, offset: (page - 1) * pageSize }),
    [calls, kind, search, sort, page],
  );
  const loaded = useRuleLoad(load);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const none = () => setChosen(new Set());
  const change = (more: Record<string, string | null>) => {
    none();
    set({ page: null, ...more });
  };
  const isNarrowed = kind !== null || search !== "";
  const add = () => setOpened({ what: "add" });
  const close = () => setOpened(null);
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-3xl text-muted-foreground text-sm">{texts.lead}</p>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid w-full grid-cols-2 items-end gap-4 sm:w-auto sm:grid-cols-[minmax(0,18rem)_10rem_11rem]">
          <div className="max-sm:col-span-2">
            <ListSearch
              search={search}
              hint={texts.searchHint}
              maxLength={200}
              onSearch={(text) => change({ search: text })}
            />
          </div>
          <ChoiceField
            label={texts.kind}
            names={common.kinds}
            any={texts.both}
            value={kind}
            onChoose={(choice) => change({ kind: choice })}
          />
          <ChoiceField
            label={texts.sort}
            names={texts.sorts}
            value={sort}
            onChoose={(choice) => change({ sort: choice === "created" ? null : choice })}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={add}>
            <Plus aria-hidden="true" />
            {texts.add}
          </Button>
          <Button variant="outline" onClick={() => setOpened({ what: "import" })}>
            <Upload aria-hidden="true" />
            {texts.import}
          </Button>
          {(["csv", "json"] as const).map((format) => (
            <a
              key={format}
              href={`/api/firewall/addresses/export?format=${format}`}
              download={`firewall-addresses.${format}`}
              className={buttonVariants({ variant: "outline" })}
            >
              <Download aria-hidden="true" />
              {texts.exports[format]}
            </a>
          ))}
        </div>
      </div>
      <ChosenBar entries={loaded.data?.entries.filter(({ id }) => chosen.has(id)) ?? []} onNone={none} />
      <Listed of={loaded} label={texts.loading}>
        {({ entries, pagination }) => (
          <RowList
            label={texts.table}
            columns={[chooseColumn(chosen, setChosen), ...columns]}
            top={<ChooseAll entries={entries} chosen={chosen} onChoose={setChosen} />}
            rows={entries}
            keyOf={({ id }) => id}
            pressOf={(entry) => () => setOpened({ what: "edit", entry })}
            lookOf={({ id }) => (chosen.has(id) ? "bg-primary/5" : "")}
            isLoading={loaded.isLoading}
            empty={{
              Icon: Network,
              isNarrowed,
              words: texts,
              onShowAll: () => change({ kind: null, search: null }),
            }}
            pages={{ ...pagination, page, onPage: (next) => change({ page: String(next) }) }}
          />
        )}
      </Listed>
      {opened?.what === "add" && <AddressDialog start={kind === null ? {} : { kind }} onClose={close} />}
      {opened?.what === "edit" && <AddressDialog entry={opened.entry} onClose={close} />}
      {opened?.what === "import" && <ImportDialog onClose={close} />}
    </div>
  );
};

const muted = "text-muted-foreground";

type Chosen = ReadonlySet<string>;

const chooseColumn = (chosen: Chosen, onChoose: (chosen: Chosen) => void): Column<AddressEntry> => ({
  name: texts.columns.choose,
  look: "relative z-10 w-11 p-0 text-[0px] first:pl-1",
  cell: ({ id, range }) => (
    <Box
      isOnlyBox
      label={texts.choose(range)}
      checked={chosen.has(id)}
      onChange={() => {
        const next = new Set(chosen);
        if (!next.delete(id)) next.add(id);
        onChoose(next);
      }}
    />
  ),
});

type ChooseAllProps = { entries: AddressEntry[]; chosen: Chosen; onChoose: (chosen: Chosen) => void };

const ChooseAll = ({ entries, chosen, onChoose }: ChooseAllProps) => {
  const isAll = entries.every(({ id }) => chosen.has(id));
  return (
    <Box
      label={texts.chooseAll}
      checked={isAll}
      onChange={() => onChoose(isAll ? new Set() : new Set(entries.map(({ id }) => id)))}
    />
  );
};

const columns: Column<AddressEntry>[] = [
  {
    name: texts.columns.range,
    isHeading: true,
    cell: ({ range }) => <span className="font-mono text-[0.8125rem]">{range}</span>,
  },
  {
    name: texts.columns.kind,
    cell: ({ kind }) => <Badge tone={kind === "allow" ? "success" : "danger"}>{common.kinds[kind]}</Badge>,
  },
  {
    name: texts.columns.note,
    ...{ from: "lg", folds: true, look: cn("min-w-60 whitespace-normal", muted) },
    cell: ({ note }) => <span className="wrap-anywhere">{note}</span>,
  },
  {
    name: texts.columns.until,
    ...{ from: "md", folds: true, look: muted },
    cell: ({ expiresAt }) => {
      if (expiresAt === null) return texts.forGood;
      if (Date.parse(expiresAt) <= Date.now()) return texts.expired;
      return <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>;
    },
  },
  {
    name: texts.columns.author,
    ...{ from: "xl", look: cn("max-w-40 truncate", muted) },
    cell: ({ author }) => <span title={author}>{author}</span>,
  },
  { name: texts.columns.hits, look: "text-right", cell: ({ hits }) => formatCount(hits) },
];

type BoxProps = { label: string; isOnlyBox?: boolean; checked: boolean; onChange: () => void };

const Box = ({ label, isOnlyBox = false, checked, onChange }: BoxProps) => (
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

/** What can be done with the entries that are chosen, and the way back: they are added again as they were. */
const ChosenBar = ({ entries, onNone }: { entries: AddressEntry[]; onNone: () => void }) => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const { busy, failure, fail, act } = useRowActions();
  const [gone, setGone] = useState<AddressEntry[]>([]);

  const remove = async () => {
    const ids = entries.map(({ id }) => id);
    await save((revision) => calls.deleteAddresses(ids, { revision }));
    setGone(entries);
    onNone();
  };
  const bringBack = async () => {
    const left: AddressEntry[] = [];
    let cause: unknown = null;
    await save(async () => {
      for (const entry of gone) {
        const { kind, range, note, expiresAt } = entry;
        try {
          await calls.addAddress({ kind, address: range, note, expiresAt });
        } catch (error) {
          left.push(entry);
          cause = error;
        }
      }
    });
    setGone(left);
    if (left.length === 0) api.notify(texts.undone);
    else fail(`${texts.undoFailed(String(left.length))} ${saveFailure(cause)}`);
  };

  return (
    <>
      {failure !== null && <Alert severity="error">{failure}</Alert>}
      {gone.length > 0 && (
        <Alert
          severity="info"
          onClose={() => setGone([])}
          actions={
            <Button
              variant="outline"
              size="sm"
              isBusy={busy === "undo"}
              onClick={() => act("undo", bringBack)}
            >
              {texts.undo}
            </Button>
          }
        >
          {texts.deleted(formatCount(gone.length), gone.length === 1)}
        </Alert>
      )}
      {entries.length > 0 && (
        <div className="sticky top-16 z-20 flex flex-wrap items-center gap-3 rounded-lg border border-border bg-popover px-4 py-2 shadow-md">
          <p role="status" className="grow text-sm max-sm:basis-full">
            {texts.chosen(formatCount(entries.length), entries.length === 1)}
          </p>
          <Button variant="outline" size="sm" onClick={onNone}>
            {texts.unchoose}
          </Button>
          <Button
            variant="destructive"
            size="sm"
            isBusy={busy === "delete"}
            onClick={() => act("delete", remove)}
          >
            {texts.removeChosen}
          </Button>
        </div>
      )}
    </>
  );
};
