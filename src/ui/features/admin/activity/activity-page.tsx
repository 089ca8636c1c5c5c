import { RefreshCw } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { PageHeader } from "../page-header.tsx";
import { ActivityChart } from "./activity-chart.tsx";
import { ActivityFilterPanel } from "./activity-filters.tsx";
import { ActivityList } from "./activity-list.tsx";
import { ActivitySheet } from "./activity-sheet.tsx";
import { ActivityTiles } from "./activity-tiles.tsx";
import {
  type ActivityFilters,
  type ActivityView,
  filterInput,
  filterQuery,
  noFilters,
  readView,
  turnedTo,
  withFilters,
  writeView,
  wrongFilters,
} from "./activity-view.ts";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { isReading } from "./is-reading.ts";
import { type LeftPage, leftFor } from "./left-page.ts";
import { LiveSwitch } from "./live-switch.tsx";
import { activityPageTexts as texts } from "./texts.ts";
import { useActivityFeed } from "./use-activity-feed.ts";
import { useReloadAt } from "./use-revision.ts";

/** What happened, newest first; what is shown, the open activity too, stands in the address bar. */
export const AdminActivityPage = () => {
  const [params, setParams] = useSearchParams();
  const view = readView(params);
  const [isCleaning, setIsCleaning] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const feed = useActivityFeed(view, () => isReading(table.current));
  const stats = useStats(filterQuery(view).toString());
  const [mended, setMended] = useState<string[]>([]);
  useEffect(() => {
    const wrong = wrongFilters(params);
    if (wrong.length === 0) return;
    setMended(wrong);
    setParams((now) => writeView(readView(now)), { replace: true });
  }, [params, setParams]);
  // After the list, whose answer may be that nobody is signed in any more.
  useReloadAt(feed.revision, stats.reload);
  const [left, setLeft] = useState<LeftPage | null>(null);

  const change = (to: (now: ActivityView) => ActivityView, isSameStep: boolean) =>
    // What is in the address by then counts: a search waits for a pause in typing.
    setParams((now) => writeView(to(readView(now))), { replace: isSameStep });
  const filter = (chosen: Partial<ActivityFilters>) => {
    setMended([]);
    change((now) => withFilters(now, chosen), false);
  };
  const turnTo = (page: number) => {
    const next = turnedTo(view, page, feed.page?.activities[0]?.id);
    if (view.page === 1 && feed.page !== null) setLeft(leftFor(next, feed.page.pagination));
    change((now) => ({ ...now, page: next.page, before: next.before }), false);
    const region = table.current?.parentElement;
    if (region && region.getBoundingClientRect().top < 0) region.scrollIntoView();
  };
  const reload = () => {
    feed.reload();
    if (stats.error !== null) stats.reload();
  };
  // What was removed may be of any page, and changes how many there are.
  const startAnew = () => {
    setLeft(null);
    if (view.page > 1) change((now) => turnedTo(now, 1, undefined), true);
    else reload();
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <PageHeader
        title={texts.title}
        lead={texts.lead}
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <LiveSwitch
              isOn={view.isLive}
              isLive={feed.isLive}
              onChange={(isLive) => change((now) => ({ ...now, isLive }), true)}
            />
            <Button variant="outline" size="sm" onClick={reload} aria-busy={feed.isLoading}>
              <RefreshCw aria-hidden="true" />
              {texts.refreshNow}
            </Button>
            <ExportMenu filters={view} />
            <Button variant="outline" size="sm" onClick={() => setIsCleaning(true)}>
              {texts.cleanUp}
            </Button>
          </div>
        }
      />
      <div className="grid gap-4 xl:grid-cols-[24rem_1fr]">
        <ActivityTiles
          stats={stats.data?.shown ?? null}
          hasFailed={stats.error !== null}
          filters={view}
          onFilter={filter}
        />
        <ActivityChart
          view={view}
          revision={feed.revision}
          onPick={(day) => filter({ startDate: day, endDate: day })}
        />
      </div>
      {mended.length > 0 && (
        <Alert severity="warning">{texts.wrongFilters(new Intl.ListFormat("en").format(mended))}</Alert>
      )}
      <ActivityFilterPanel
        filters={view}
        plugins={stats.data?.whole.pluginActivity.map(({ pluginName }) => pluginName).sort() ?? []}
        onFilter={filter}
      />
      <ActivityList
        view={view}
        feed={feed}
        left={left}
        logTotal={stats.data?.whole.total ?? null}
        tableRef={table}
        onOpen={(activity) => change((now) => ({ ...now, activity }), false)}
        onPage={turnTo}
        onSize={(size) => change((now) => ({ ...withFilters(now, {}), size }), false)}
        onShowAll={() => filter(noFilters)}
        onRetry={reload}
      />
      {view.activity !== null && (
        <ActivitySheet
          key={view.activity}
          id={view.activity}
          known={feed.page?.activities.find(({ id }) => id === view.activity)}
          linkTo={(filters) =>
            `/admin/activity?${writeView({ ...withFilters(view, { ...noFilters, ...filters }), activity: null })}`
          }
          onClose={() => change((now) => ({ ...now, activity: null }), true)}
        />
      )}
      {isCleaning && (
        <CleanupDialog
          onClose={() => setIsCleaning(false)}
          onCleaned={() => {
            setIsCleaning(false);
            startAnew();
          }}
          onKept={startAnew}
        />
      )}
    </div>
  );
};

/** The numbers of what the filters let through, and of the whole log: its plugins are those to choose from. */
const useStats = (query: string) =>
  useLoad(
    useCallback(async () => {
      const { data: whole } = await client.activity.stats();
      if (query === "") return { whole, shown: whole };
      return { whole, shown: (await client.activity.stats(filterInput(readView(query)))).data };
    }, [query]),
  );
