import { Alert, Button, ConfirmDialog, cn, formatCount, formatDateTime } from "@atrium/plugin-sdk/ui";
import { Ban as BanIcon, UserRoundX } from "lucide-react";
import { useCallback, useState } from "react";
import type { Ban } from "../../backend/wire.ts";
import { pageSize, readPage } from "../addresses/address-query.ts";
import { useDraft } from "../parts/draft.ts";
import { SavedForm, TextField } from "../parts/forms.tsx";
import { ConfigSwitch } from "../parts/instant-switch.tsx";
import { type Column, Listed, QuerySearch, RowList, useQuery } from "../parts/lists.tsx";
import { wholeNumberComplaint } from "../parts/rule-values.ts";
import { useRowActions } from "../parts/use-row-actions.ts";
import { banTexts as texts } from "../rule-texts.ts";
import { useFirewall, useRuleLoad, useSaver } from "../use-firewall.ts";
import { BanDialog } from "./ban-dialog.tsx";

const restingMs = 15_000;

/** Who is kept out for a time, and after what. */
export const BansPage = () => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const rows = useRowActions();
  const { params, set } = useQuery();
  const search = params.get("search") ?? "";
  const page = readPage(params);
  const load = useCallback(
    () => calls.bans({ search, limit: pageSize, offset: (page - 1) * pageSize }),
    [calls, search, page],
  );
  const loaded = useRuleLoad(load, restingMs);
  const { data, reload } = loaded;
  const [opened, setOpened] = useState<"add" | "lift-all" | null>(null);
  const close = () => setOpened(null);
  const total = data?.pagination.total ?? 0;
  const lift = (address: string) =>
    rows.act(address, async () => {
      await save(() => calls.liftBan(address));
      api.notify(texts.lifted(address));
      reload();
    });
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-2xl text-muted-foreground text-sm">{texts.lead}</p>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="w-full sm:w-80">
          <QuerySearch hint={texts.searchHint} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpened("add")}>
            <BanIcon aria-hidden="true" />
            {texts.add}
          </Button>
          <Button variant="outline" disabled={total === 0} onClick={() => setOpened("lift-all")}>
            {texts.liftAll}
          </Button>
        </div>
      </div>
      {rows.failure !== null && (
        <Alert severity="error" onClose={rows.dismiss}>
          {rows.failure}
        </Alert>
      )}
      <Listed of={loaded} label={texts.loading}>
        {({ bans, pagination }) => (
          <RowList
            label={texts.table}
            columns={[...columns, liftColumn(rows.busy, lift)]}
            rows={bans}
            keyOf={({ address }) => address}
            empty={{ Icon: UserRoundX, isNarrowed: search !== "", words: texts }}
            pages={{ ...pagination, page, onPage: (next) => set({ page: String(next) }) }}
          />
        )}
      </Listed>
      <BanSettings />
      {opened === "add" && (
        <BanDialog
          onClose={() => {
            close();
            reload();
          }}
        />
      )}
      <ConfirmDialog
        open={opened === "lift-all"}
        onClose={close}
        title={texts.liftAllQuestion(formatCount(total), total === 1)}
        question={texts.liftAllText}
        action={texts.liftAll}
        fallback={texts.liftAllFailed}
        onConfirm={async () => {
          await save(() => calls.liftAllBans());
          api.notify(texts.liftedAll);
          close();
          reload();
        }}
      />
    </div>
  );
};

const muted = "text-muted-foreground";
const columns: Column<Ban>[] = [
  {
    name: texts.columns.address,
    isHeading: true,
    cell: ({ address }) => <span className="font-mono text-[0.8125rem]">{address}</span>,
  },
  {
    name: texts.columns.reason,
    ...{ from: "lg", folds: true, look: cn("wrap-anywhere min-w-80 whitespace-normal", muted) },
    cell: ({ reason, author }) => {
      if (author === "") return `${reason} · ${texts.byItself}`;
      // A ban without a note is "Banned by" whoever made it.
      return reason.endsWith(author) ? reason : `${reason} · ${texts.by(author)}`;
    },
  },
  {
    name: texts.columns.until,
    ...{ from: "md", folds: true },
    cell: ({ until }) => <time dateTime={until}>{formatDateTime(until)}</time>,
  },
  { name: texts.columns.times, from: "xl", look: "text-right", cell: ({ times }) => formatCount(times) },
  { name: texts.columns.hits, from: "sm", look: "text-right", cell: ({ hits }) => formatCount(hits) },
];

const liftColumn = (busy: string | null, onLift: (address: string) => void): Column<Ban> => ({
  name: texts.columns.act,
  look: "text-right",
  cell: ({ address }) => (
    <Button
      variant="outline"
      size="sm"
      isBusy={busy === address}
      aria-label={texts.liftOne(address)}
      onClick={() => onLift(address)}
    >
      {texts.lift}
    </Button>
  ),
});

/** The numbers that decide about bans, each with its bounds. */
const numbers = {
  banAfterBlocks: { label: texts.blocks, bounds: [2, 1_000] },
  banWindowMinutes: { label: texts.window, bounds: [1, 1_440] },
  banMinutes: { label: texts.first, bounds: [1, 10_080] },
  banMostMinutes: { label: texts.most, bounds: [1, 43_200] },
} as const;
type BanNumber = keyof typeof numbers;
const banNumbers = ["banAfterBlocks", "banWindowMinutes", "banMinutes", "banMostMinutes"] as const;

/** What is wrong with a number as it was typed; `null` for nothing. */
export const banComplaint = (name: BanNumber, typed: Record<BanNumber, string>): string | null => {
  const complaint = wholeNumberComplaint(typed[name], numbers[name].bounds);
  const isShort = name === "banMostMinutes" && Number(typed.banMostMinutes) < Number(typed.banMinutes);
  return complaint ?? (isShort ? texts.mostTooShort : null);
};

/** Who is banned automatically, and for how long. */
const BanSettings = () => {
  const { calls, config } = useFirewall();
  const { banAfterBlocks, banWindowMinutes, banMinutes, banMostMinutes } = config;
  const { value, changes, isDirty, change, discard } = useDraft<Record<BanNumber, string>>({
    banAfterBlocks: String(banAfterBlocks),
    banWindowMinutes: String(banWindowMinutes),
    banMinutes: String(banMinutes),
    banMostMinutes: String(banMostMinutes),
  });
  const typed = Object.entries(changes).map(([name, text]) => [name, Number(text)]);
  return (
    <SavedForm
      title={texts.settings}
      lead={texts.settingsLead}
      isDirty={isDirty}
      complaint={banNumbers.some((name) => banComplaint(name, value) !== null) ? "" : null}
      send={(revision) => calls.saveSwitches({ ...Object.fromEntries(typed), revision })}
      onDiscard={discard}
      top={<ConfigSwitch name="bansEnabled" label={texts.enabled} hint={texts.enabledHint} />}
    >
      <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-4">
        {banNumbers.map((name) => (
          <TextField
            key={name}
            label={numbers[name].label}
            error={banComplaint(name, value)}
            name={name}
            isNumber
            value={value[name]}
            onChange={(event) => change({ [name]: event.target.value })}
          />
        ))}
      </div>
    </SavedForm>
  );
};
