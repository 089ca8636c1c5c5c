import {
  Button,
  Card,
  CardContent,
  EmptyState,
  formatCount,
  formatDateTime,
  Skeleton,
  useAct,
  useForm,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { BookOpen, SearchX } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { JournalEntry, Reason } from "../../backend/wire.ts";
import { isAbsent, saveFailure } from "../calls.ts";
import { ChoiceField, TextField } from "../parts/forms.tsx";
import { type Column, Listed, LoadAlert, QuerySearch, RowList, useQuery } from "../parts/lists.tsx";
import { originOf, readVerdict, VerdictBadge, withLocalTimes } from "../parts/requests.tsx";
import { TitledCard } from "../parts/titled-card.tsx";
import { pathOf } from "../place.ts";
import { texts as common, explainTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { AddressActs, Explanation } from "./explanation.tsx";

/** Why a request was stopped, by the id that its visitor was shown; and whatever was written down lately. */
export const ExplainPage = ({ id }: { id: string | null }) => (
  <div className="grid grid-cols-1 gap-4">
    <IdCard key={id} id={id} />
    {id !== null && <Explained key={`${id} explained`} id={id} />}
    <JournalList />
  </div>
);

const rules = { id: (value: string) => (value.trim() === "" ? texts.idMissing : null) };

const IdCard = ({ id }: { id: string | null }) => {
  const { api } = useFirewall();
  const { formProps, errors } = useForm({
    rules,
    send: async (values) => api.navigate(pathOf("explain", values.id.trim())),
    explain: saveFailure,
  });
  return (
    <TitledCard title={texts.title} lead={texts.lead}>
      <CardContent>
        <form {...formProps} className="flex flex-wrap items-start gap-3">
          <TextField
            label={texts.id}
            hint={texts.idHint}
            error={errors.id}
            className="min-w-0 grow sm:max-w-md"
            name="id"
            isCode
            defaultValue={id ?? ""}
            maxLength={100}
          />
          <Button type="submit" className="sm:mt-7">
            {texts.find}
          </Button>
        </form>
      </CardContent>
    </TitledCard>
  );
};

const Explained = ({ id }: { id: string }) => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.explain(id), [calls, id]);
  const { data, error, reload } = useLoad(load);
  if (data !== null)
    return (
      <Card aria-label={texts.request}>
        <CardContent className="grid grid-cols-1 gap-5 pt-5">
          <Explanation data={data} />
          <div className="flex flex-wrap gap-2 border-border border-t pt-4">
            <AddressActs address={data.entry.address} id={id} />
          </div>
        </CardContent>
      </Card>
    );
  if (error === null)
    return (
      <div aria-busy="true" className="grid">
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className="h-64 w-full" />
      </div>
    );
  if (!isAbsent(error)) return <LoadAlert error={error} onRetry={reload} />;
  return (
    <Card>
      <EmptyState Icon={SearchX} title={texts.absent} text={texts.absentText} />
    </Card>
  );
};

const pageSize = 50;

const causeOf = (text: string): Reason["by"] | null =>
  Object.hasOwn(texts.by, text) ? (text as Reason["by"]) : null;

const { passed: _passed, ...verdicts } = common.verdicts;

/** What the firewall wrote down, newest first. */
const JournalList = () => {
  const { api, calls } = useFirewall();
  const { params, set } = useQuery();
  const verdict = readVerdict(params.get("verdict"));
  const by = causeOf(params.get("by") ?? "");
  const search = params.get("search") ?? "";
  const load = useCallback(
    () => calls.journal({ verdict, by, search, limit: pageSize }),
    [calls, verdict, by, search],
  );
  const loaded = useLoad(load);
  const { data } = loaded;
  const [older, setOlder] = useState<{ entries: JournalEntry[]; next: string | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is older belongs to the page that it follows
  useEffect(() => setOlder(null), [data]);
  const next = older === null ? (data?.next ?? null) : older.next;
  const more = useAct(async () => {
    const page = await calls.journal({ verdict, by, search, limit: pageSize, before: next });
    setOlder((known) => ({ entries: [...(known?.entries ?? []), ...page.entries], next: page.next }));
  });
  const isNarrowed = verdict !== null || by !== null || search !== "";
  return (
    <section aria-labelledby="firewall-journal" className="grid grid-cols-1 gap-3">
      <h2 id="firewall-journal" className="font-semibold text-sm tracking-tight">
        {texts.list}
      </h2>
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,22rem)_10rem_12rem]">
        <QuerySearch hint={texts.searchHint} />
        <ChoiceField
          label={texts.verdict}
          names={verdicts}
          any={texts.any}
          value={verdict === "passed" ? null : verdict}
          onChoose={(choice) => set({ verdict: choice })}
        />
        <ChoiceField
          label={texts.reason}
          names={texts.by}
          any={texts.anyReason}
          value={by}
          onChoose={(choice) => set({ by: choice })}
        />
      </div>
      <Listed of={loaded} label={texts.list}>
        {({ entries }) => (
          <RowList
            label={texts.table}
            columns={columns}
            rows={[...entries, ...(older?.entries ?? [])]}
            keyOf={({ id }) => id}
            pressOf={({ id }) => api.addressOf(pathOf("explain", id))}
            className="text-[0.8125rem]"
            empty={{ Icon: BookOpen, isNarrowed, words: texts }}
          >
            {next !== null && entries.length > 0 && (
              <div className="grid justify-items-center gap-2 border-border border-t p-3">
                {more.error !== null && <LoadAlert error={more.error} onRetry={more.act} />}
                <Button variant="outline" size="sm" isBusy={more.isBusy} onClick={more.act}>
                  {texts.older}
                </Button>
              </div>
            )}
          </RowList>
        )}
      </Listed>
    </section>
  );
};

const muted = "text-muted-foreground";
const columns: Column<JournalEntry>[] = [
  {
    name: texts.columns.time,
    ...{ from: "md", folds: true, look: muted },
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
  },
  {
    name: texts.columns.verdict,
    look: "max-md:pl-4",
    cell: ({ verdict }) => <VerdictBadge verdict={verdict} />,
  },
  {
    name: texts.columns.request,
    isHeading: true,
    titleOf: ({ path }) => path,
    cell: ({ method, path }) => (
      <>
        <span className={muted}>{method}</span> {path}
      </>
    ),
    below: ({ reasons }) => {
      const why = withLocalTimes(reasons.map(({ text }) => text).join("; "));
      return (
        <span className="wrap-anywhere block font-normal max-md:line-clamp-2 md:truncate" title={why}>
          {why}
        </span>
      );
    },
  },
  { name: texts.columns.address, ...{ from: "lg", folds: true, look: muted }, cell: originOf },
  {
    name: texts.columns.score,
    ...{ from: "sm", look: "text-right" },
    cell: ({ score }) => formatCount(score),
  },
];
