import {
  Button,
  Card,
  EmptyState,
  Field,
  Select,
  useAct,
  useLoad,
  useSearchParams,
} from "@atrium/plugin-sdk/ui";
import { BookOpen } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { JournalEntry, Reason } from "../../backend/wire.ts";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { readVerdict, verdicts } from "../parts/verdicts.ts";
import { texts as common, explainTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { JournalTable } from "./journal-table.tsx";

const causes = [
  "pattern",
  "address",
  "country",
  "rate",
  "ban",
  "obstacle",
  "engine",
] as const satisfies Reason["by"][];
const pageSize = 50;

/** What the firewall wrote down, newest first. */
export const JournalList = () => {
  const { calls } = useFirewall();
  const [params, setParams] = useSearchParams();
  const verdict = readVerdict(params.get("verdict"));
  const by = causes.find((cause) => cause === params.get("by")) ?? null;
  const search = params.get("search") ?? "";
  const load = useCallback(
    () => calls.journal({ verdict, by, search, limit: pageSize }),
    [calls, verdict, by, search],
  );
  const { data, error, reload } = useLoad(load);
  const [older, setOlder] = useState<{ entries: JournalEntry[]; next: string | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is older belongs to the page that it follows
  useEffect(() => setOlder(null), [data]);
  const set = (name: string, value: string) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        if (value === "") changed.delete(name);
        else changed.set(name, value);
        return changed;
      },
      { replace: true },
    );
  const next = older === null ? (data?.next ?? null) : older.next;
  const more = useAct(async () => {
    const page = await calls.journal({ verdict, by, search, limit: pageSize, before: next });
    setOlder((known) => ({ entries: [...(known?.entries ?? []), ...page.entries], next: page.next }));
  });
  const entries = [...(data?.entries ?? []), ...(older?.entries ?? [])];
  const isNarrowed = verdict !== null || by !== null || search !== "";
  return (
    <section aria-labelledby="firewall-journal" className="grid grid-cols-1 gap-3">
      <h2 id="firewall-journal" className="font-semibold text-sm tracking-tight">
        {texts.list}
      </h2>
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,22rem)_10rem_12rem]">
        <SearchField search={search} hint={texts.searchHint} onSearch={(text) => set("search", text)} />
        <Field label={texts.verdict}>
          <Select value={verdict ?? ""} onChange={(event) => set("verdict", event.target.value)}>
            <option value="">{texts.any}</option>
            {verdicts
              .filter((choice) => choice !== "passed")
              .map((choice) => (
                <option key={choice} value={choice}>
                  {common.verdicts[choice]}
                </option>
              ))}
          </Select>
        </Field>
        <Field label={texts.reason}>
          <Select value={by ?? ""} onChange={(event) => set("by", event.target.value)}>
            <option value="">{texts.anyReason}</option>
            {causes.map((cause) => (
              <option key={cause} value={cause}>
                {texts.by[cause]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {data === null && error === null && <ListSkeleton label={texts.list} />}
      {error !== null && <LoadAlert error={error} onRetry={reload} />}
      {data !== null && (
        <Card className="overflow-clip">
          {entries.length === 0 ? (
            <EmptyState
              Icon={BookOpen}
              title={texts.none}
              text={isNarrowed ? texts.noMatchText : texts.noneText}
            />
          ) : (
            <JournalTable entries={entries} />
          )}
          {next !== null && entries.length > 0 && (
            <div className="grid justify-items-center gap-2 border-border border-t p-3">
              {more.error !== null && <LoadAlert error={more.error} onRetry={more.act} />}
              <Button variant="outline" size="sm" isBusy={more.isBusy} onClick={more.act}>
                {texts.older}
              </Button>
            </div>
          )}
        </Card>
      )}
    </section>
  );
};
