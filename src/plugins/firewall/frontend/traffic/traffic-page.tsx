import {
  Alert,
  Button,
  Checkbox,
  cn,
  formatCount,
  formatDateTime,
  formatMs,
  Link,
} from "@atrium/plugin-sdk/ui";
import { Activity, Pause, Play } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { TrafficRow } from "../../backend/wire.ts";
import { ExplainSheet } from "../explain/explain-sheet.tsx";
import { ChoiceField } from "../parts/forms.tsx";
import { type Column, Listed, QuerySearch, RowList, useQuery } from "../parts/lists.tsx";
import { originOf, readVerdict, VerdictBadge } from "../parts/requests.tsx";
import { texts as common, trafficTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { arrived, caughtUp, filterRows, noTraffic, type TrafficFeed } from "./traffic-feed.ts";

// More than these no one reads as they come; the filters find the others.
const mostShown = 200;

/** What comes in, as it comes in; filter and opened request stand in the address. */
export const TrafficPage = () => {
  const { api } = useFirewall();
  const { params, set } = useQuery();
  const [isPaused, setIsPaused] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { feed, isWatching, error, retry, catchUp } = useTraffic(isPaused, () => isReading(list.current));
  const filter = {
    verdict: readVerdict(params.get("verdict")),
    search: params.get("search") ?? "",
    hidesNoise: params.get("all") === null,
  };
  const opened = params.get("request");
  const rows = feed === null ? [] : filterRows(feed.rows, filter);
  const waiting = feed === null ? 0 : filterRows(feed.waiting, filter).length;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,22rem)_11rem_auto]">
        <QuerySearch hint={texts.searchHint} />
        <ChoiceField
          label={texts.verdict}
          names={common.verdicts}
          any={texts.any}
          value={filter.verdict}
          onChoose={(verdict) => set({ verdict })}
        />
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
            {common.toOverview}
          </Link>
        </Alert>
      )}
      <Listed of={{ data: feed, error, reload: retry }} label={texts.loading}>
        {({ missed, rows: all }) => (
          <div className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center justify-between gap-x-6 text-[0.8125rem]">
              <p className="text-muted-foreground">
                {texts.lead} {missed > 0 && texts.missed(formatCount(missed))}
              </p>
              <Checkbox
                label={texts.noise}
                checked={filter.hidesNoise}
                onChange={() => set({ all: filter.hidesNoise ? "1" : null })}
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
            <div ref={list}>
              <RowList
                label={texts.table}
                columns={columns}
                rows={rows.slice(0, mostShown)}
                keyOf={({ id }) => id}
                pressOf={({ id }) =>
                  () =>
                    set({ request: id }, true)
                  }
                className="text-[0.8125rem]"
                empty={{ Icon: Activity, isNarrowed: all.length > 0, words: texts }}
              />
            </div>
          </div>
        )}
      </Listed>
      {opened !== null && (feed !== null || error !== null) && (
        <ExplainSheet
          key={opened}
          id={opened}
          row={[...(feed?.rows ?? []), ...(feed?.waiting ?? [])].find(({ id }) => id === opened)}
          onClose={() => set({ request: null })}
        />
      )}
    </div>
  );
};

// The rest is read in the sheet.
const shownLength = 160;

const muted = "text-muted-foreground";
const columns: Column<TrafficRow>[] = [
  {
    name: texts.columns.time,
    ...{ from: "md", folds: true, look: muted },
    cell: ({ at }) => (
      <time dateTime={at} title={formatDateTime(at)}>
        {new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }).format(new Date(at))}
      </time>
    ),
  },
  {
    name: texts.columns.verdict,
    look: "max-md:pl-4",
    cell: ({ verdict }) => <VerdictBadge verdict={verdict} />,
  },
  {
    name: texts.columns.request,
    isHeading: true,
    titleOf: ({ path }) => path.slice(0, shownLength),
    cell: ({ method, path }) => (
      <>
        <span className={muted}>{method}</span> {path.slice(0, shownLength)}
      </>
    ),
    below: ({ reasons }) =>
      reasons.length > 0 && (
        <span
          className="wrap-anywhere block font-normal max-md:line-clamp-2 md:truncate"
          title={reasons.join("; ")}
        >
          {reasons.join("; ").slice(0, shownLength)}
        </span>
      ),
  },
  { name: texts.columns.address, ...{ from: "lg", folds: true, look: muted }, cell: originOf },
  {
    name: texts.columns.who,
    ...{ from: "xl", folds: true, look: cn("max-w-36 truncate", muted) },
    cell: ({ user }) => user ?? texts.nobody,
  },
  {
    name: texts.columns.status,
    from: "sm",
    cell: ({ status }) => <span className={cn(status >= 400 && "text-destructive")}>{status}</span>,
  },
  {
    name: texts.columns.duration,
    ...{ from: "xl", look: cn("text-right", muted) },
    cell: ({ durationMs }) => formatMs(durationMs),
  },
];

const scrollToTop = (list: HTMLElement | null) => {
  if (list !== null && list.getBoundingClientRect().top < 0) list.scrollIntoView();
};

const Live = () => (
  <span className="inline-flex items-center gap-1.5 text-success">
    <span aria-hidden="true" className="size-2 rounded-full bg-success motion-safe:animate-pulse" />
    {texts.live}
  </span>
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

const everyMs = 2_000;
const firstRows = 200;

/** The live traffic: asked for every two seconds unless paused or out of sight; `isHeld()` keeps rows where they are. */
const useTraffic = (isPaused: boolean, isHeld: () => boolean) => {
  const { calls } = useFirewall();
  const [feed, setFeed] = useState<TrafficFeed | null>(null);
  const [isWatching, setIsWatching] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const held = useRef(isHeld);
  const after = useRef<string | null>(null);
  const isAsking = useRef(false);
  useEffect(() => {
    held.current = isHeld;
    after.current = feed?.after ?? null;
  });

  const ask = useCallback(async () => {
    // An answer that takes longer than the next turn is waited for: its rows would come twice.
    if (isAsking.current) return;
    isAsking.current = true;
    try {
      const data = await calls.traffic(
        after.current === null ? { limit: firstRows } : { after: after.current, limit: firstRows },
      );
      const mayNotMove = held.current();
      setFeed((known) => arrived(known ?? noTraffic, data, known !== null && mayNotMove));
      setIsWatching(data.isWatching);
      setError(null);
    } catch (cause) {
      setError(cause);
    } finally {
      isAsking.current = false;
    }
  }, [calls]);

  useEffect(() => {
    if (isPaused) return;
    void ask();
    const timer = setInterval(() => document.visibilityState === "visible" && void ask(), everyMs);
    return () => clearInterval(timer);
  }, [ask, isPaused]);

  return {
    feed,
    isWatching,
    error,
    retry: () => void ask(),
    catchUp: () => setFeed((known) => known && caughtUp(known)),
  };
};
