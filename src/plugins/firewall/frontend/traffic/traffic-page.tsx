import {
  Alert,
  Button,
  Card,
  Checkbox,
  EmptyState,
  Field,
  formatCount,
  Link,
  Select,
  useSearchParams,
} from "@atrium/plugin-sdk/ui";
import { Activity, Pause, Play } from "lucide-react";
import { useRef, useState } from "react";
import { ExplainSheet } from "../explain/explain-sheet.tsx";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { readVerdict, verdicts } from "../parts/verdicts.ts";
import { texts as common, trafficTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { filterRows } from "./traffic-feed.ts";
import { TrafficTable } from "./traffic-table.tsx";
import { useTraffic } from "./use-traffic.ts";

/** What comes in, as it comes in; filter and opened request stand in the address. */
export const TrafficPage = () => {
  const { api } = useFirewall();
  const [params, setParams] = useSearchParams();
  const [isPaused, setIsPaused] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { feed, isWatching, error, retry, catchUp } = useTraffic(isPaused, () => isReading(list.current));
  const filter = {
    verdict: readVerdict(params.get("verdict")),
    search: params.get("search") ?? "",
    hidesNoise: params.get("all") === null,
  };
  const opened = params.get("request");
  const set = (name: string, value: string | null, replace = true) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace },
    );
  const rows = feed === null ? [] : filterRows(feed.rows, filter);
  const waiting = feed === null ? 0 : filterRows(feed.waiting, filter).length;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,22rem)_11rem_auto]">
        <SearchField
          search={filter.search}
          hint={texts.searchHint}
          onSearch={(search) => set("search", search)}
        />
        <Field label={texts.verdict}>
          <Select value={filter.verdict ?? ""} onChange={(event) => set("verdict", event.target.value)}>
            <option value="">{texts.any}</option>
            {verdicts.map((verdict) => (
              <option key={verdict} value={verdict}>
                {common.verdicts[verdict]}
              </option>
            ))}
          </Select>
        </Field>
        <div className="flex items-center gap-3 sm:justify-self-end">
          <span role="status" className="text-muted-foreground text-xs">
            {isPaused ? texts.paused : <Live />}
          </span>
          <Button variant="outline" onClick={() => setIsPaused(!isPaused)}>
            {isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            {isPaused ? texts.resume : texts.pause}
          </Button>
        </div>
      </div>
      {!isWatching && (
        <Alert severity="info">
          {texts.off}{" "}
          <Link href={api.addressOf("")} className="font-medium underline underline-offset-2">
            {texts.toOverview}
          </Link>
        </Alert>
      )}
      {error !== null && <LoadAlert error={error} onRetry={retry} />}
      {feed === null && error === null && <ListSkeleton label={texts.loading} />}
      {feed !== null && (
        <div className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center justify-between gap-x-6 text-[0.8125rem]">
            <p className="text-muted-foreground">
              {texts.lead} {feed.missed > 0 && texts.missed(formatCount(feed.missed))}
            </p>
            <Checkbox
              label={texts.noise}
              checked={filter.hidesNoise}
              onChange={() => set("all", filter.hidesNoise ? "1" : null)}
            />
          </div>
          {/* Without a height of its own: it moves no row. */}
          <div role="status" className="sticky top-16 z-20 -mb-2 grid h-0 justify-items-center">
            {waiting > 0 && (
              <Button
                size="sm"
                className="mt-1 rounded-full shadow-lg md:h-7"
                onClick={() => {
                  scrollToTop(list.current);
                  catchUp();
                }}
              >
                {texts.newer(formatCount(waiting), waiting === 1)}
              </Button>
            )}
          </div>
          <Card ref={list} className="overflow-clip">
            {rows.length > 0 && <TrafficTable rows={rows} onOpen={(id) => set("request", id, false)} />}
            {rows.length === 0 && <Nothing isEmpty={feed.rows.length === 0} />}
          </Card>
        </div>
      )}
      {opened !== null && (feed !== null || error !== null) && (
        <ExplainSheet
          key={opened}
          id={opened}
          row={[...(feed?.rows ?? []), ...(feed?.waiting ?? [])].find(({ id }) => id === opened)}
          onClose={() => set("request", null)}
        />
      )}
    </div>
  );
};

const scrollToTop = (list: HTMLElement | null) => {
  if (list !== null && list.getBoundingClientRect().top < 0) list.scrollIntoView();
};

const Live = () => (
  <span className="inline-flex items-center gap-1.5 text-success">
    <span aria-hidden="true" className="size-2 rounded-full bg-success motion-safe:animate-pulse" />
    {texts.live}
  </span>
);

const Nothing = ({ isEmpty }: { isEmpty: boolean }) => (
  <EmptyState
    Icon={Activity}
    title={isEmpty ? texts.none : texts.noMatch}
    text={isEmpty ? texts.noneText : texts.noMatchText}
  />
);

/**
 * Whether somebody is in the middle of something in a list, so that its rows had better stay where they are: pointing at
 * it, with the focus on or marked text in a row, scrolled past its beginning, or looking at a dialog above it.
 */
const isReading = (region: HTMLElement | null): boolean => {
  if (document.querySelector("dialog:modal") !== null) return true;
  if (region === null) return false;
  const marked = getSelection();
  return (
    region.matches(":hover") ||
    region.querySelector(":focus") !== null ||
    (marked?.isCollapsed === false && region.contains(marked.anchorNode)) ||
    region.getBoundingClientRect().top < 0
  );
};
