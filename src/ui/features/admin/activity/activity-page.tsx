import { useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { activityRefreshMs } from "#contract/activity.ts";
import { Button } from "#ui/components/ui/button.tsx";
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
  noFilters,
  readView,
  turnedTo,
  withFilters,
  writeView,
} from "./activity-view.ts";
import { getActivityStats } from "./api.ts";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { isReading } from "./is-reading.ts";
import { LiveSwitch } from "./live-switch.tsx";
import { activityPageTexts as texts } from "./texts.ts";
import { useActivityFeed } from "./use-activity-feed.ts";

/** What happened, newest first; what is shown, the open activity too, stands in the address bar. */
export const AdminActivityPage = () => {
  const [params, setParams] = useSearchParams();
  const view = readView(params);
  const [isCleaning, setIsCleaning] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const feed = useActivityFeed(view, () => isReading(table.current));
  const stats = useLoad(getActivityStats, view.isLive ? activityRefreshMs : undefined);

  const change = (to: (now: ActivityView) => ActivityView, isSameStep: boolean) =>
    // What is in the address by then counts: a search waits for a pause in typing.
    setParams((now) => writeView(to(readView(now))), { replace: isSameStep });
  const filter = (chosen: Partial<ActivityFilters>) => change((now) => withFilters(now, chosen), false);
  const turnTo = (page: number) => {
    change((now) => turnedTo(now, page, feed.page?.activities[0]?.id), false);
    table.current?.scrollIntoView({ block: "nearest" });
  };
  const reload = () => {
    feed.reload();
    stats.reload();
  };
  return (
    <div className="grid gap-6">
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
            <ExportMenu filters={view} />
            <Button variant="outline" size="sm" onClick={() => setIsCleaning(true)}>
              {texts.cleanUp}
            </Button>
          </div>
        }
      />
      <ActivityTiles stats={stats.data} hasFailed={stats.error !== null} filters={view} onFilter={filter} />
      <ActivityChart view={view} onPick={(day) => filter({ startDate: day, endDate: day })} />
      <ActivityFilterPanel
        filters={view}
        plugins={stats.data?.pluginActivity.map(({ pluginName }) => pluginName).sort() ?? []}
        onFilter={filter}
      />
      <ActivityList
        view={view}
        feed={feed}
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
            reload();
          }}
        />
      )}
    </div>
  );
};
