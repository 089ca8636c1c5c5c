import { RefreshCw } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { ActivityStats } from "#api/modules/activity/contract.ts";
import { DayBars } from "#ui/components/day-bars.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Label } from "#ui/components/ui/field.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { client } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { formatCount } from "../format.ts";
import { PageHeader } from "../page-header.tsx";
import { type LeftPage, leftFor, useActivityFeed, useReloadAt } from "./activity-feed.ts";
import { ActivityFilterPanel, ExportMenu } from "./activity-filters.tsx";
import { ActivityList } from "./activity-list.tsx";
import { ActivitySheet } from "./activity-sheet.tsx";
import {
  type ActivityFilters,
  type ActivityView,
  choiceInput,
  countFilters,
  filterInput,
  filterQuery,
  isMoment,
  noFilters,
  readView,
  turnedTo,
  withFilters,
  writeView,
  wrongFilters,
} from "./activity-view.ts";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { activityPageTexts, chartTexts, tileTexts } from "./texts.ts";

/** What happened, newest first; what is shown, the open activity too, is in the address bar. */
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
  // After the list, whose answer may be that no one is signed in any more.
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
        title={activityPageTexts.title}
        lead={activityPageTexts.lead}
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <LiveSwitch
              isOn={view.isLive}
              isLive={feed.isLive}
              onChange={(isLive) => change((now) => ({ ...now, isLive }), true)}
            />
            <Button variant="outline" size="sm" onClick={reload} aria-busy={feed.isLoading}>
              <RefreshCw aria-hidden="true" />
              {activityPageTexts.refreshNow}
            </Button>
            <ExportMenu filters={view} />
            <Button variant="outline" size="sm" onClick={() => setIsCleaning(true)}>
              {activityPageTexts.cleanUp}
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
        <Alert severity="warning">
          {activityPageTexts.wrongFilters(new Intl.ListFormat("en").format(mended))}
        </Alert>
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

type ActivityTilesProps = {
  /** `null` while they are on their way. */
  stats: ActivityStats | null;
  /** Whether they could not be had. */
  hasFailed: boolean;
  filters: ActivityFilters;
  onFilter: (change: Partial<ActivityFilters>) => void;
};

const dayMs = 86_400_000;

/** What the filters let through in four numbers; a press on one sets the filter that shows just what it counts, another takes it off. */
const ActivityTiles = ({ stats, hasFailed, filters, onFilter }: ActivityTilesProps) => {
  const shown = (pick: (stats: ActivityStats) => number) => {
    if (stats !== null) return `${formatCount(pick(stats))}${stats.coversNewest === null ? "" : "+"}`;
    return hasFailed ? "–" : <Skeleton className="h-5 w-16" />;
  };
  const where = countFilters(filters) > 0 ? tileTexts.filteredHint : tileTexts.totalHint;
  const areFailures = filters.status === "failure";
  const isRecent = isMoment(filters.startDate) && filters.endDate === "";
  const aDayAgo = () => new Date(Date.now() - dayMs).toISOString();
  return (
    <section aria-label={tileTexts.label}>
      <ul className="grid h-full grid-cols-2 gap-3">
        <Tile
          name={tileTexts.total}
          value={shown(({ total }) => total)}
          hint={where}
          onPick={() => onFilter(noFilters)}
        />
        <Tile
          name={tileTexts.recent}
          value={shown(({ last24Hours }) => last24Hours)}
          hint={tileTexts.recentHint}
          isPicked={isRecent}
          onPick={() => onFilter({ startDate: isRecent ? "" : aDayAgo(), endDate: "" })}
        />
        <Tile
          name={tileTexts.failures}
          value={shown(({ failures }) => failures)}
          hint={where}
          isPicked={areFailures}
          onPick={() => onFilter({ status: areFailures ? "" : "failure" })}
        />
        <Tile
          name={tileTexts.security}
          value={shown(({ securityEvents }) => securityEvents)}
          hint={tileTexts.securityHint}
          isPicked={filters.security !== ""}
          onPick={() => onFilter({ security: filters.security === "" ? "true" : "" })}
        />
      </ul>
    </section>
  );
};

type TileProps = { name: string; value: ReactNode; hint: string; isPicked?: boolean; onPick: () => void };

const Tile = ({ name, value, hint, isPicked, onPick }: TileProps) => (
  <li className="relative rounded-lg border border-border bg-card px-4 py-1.5 has-[button:hover]:bg-accent/50 has-aria-pressed:border-primary">
    <p className="text-muted-foreground text-[0.8125rem]">
      <button
        type="button"
        aria-pressed={isPicked}
        onClick={onPick}
        className="cursor-pointer text-left outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:ring-2 focus-visible:after:ring-ring"
      >
        {name}
      </button>
    </p>
    <div className="flex min-h-7 items-center font-semibold text-xl tabular-nums tracking-tight">{value}</div>
    <p className="text-muted-foreground text-xs">{hint}</p>
  </li>
);

type ActivityChartProps = {
  view: ActivityView;
  /** Asks again when it grows. */
  revision: number;
  onPick: (day: string) => void;
};

const shownDays = 30;

/** How much happened each day, of what the choices among the filters let through. */
const ActivityChart = ({ view, revision, onPick }: ActivityChartProps) => {
  const query = filterQuery({ ...view, search: "", startDate: "", endDate: "" }).toString();
  const load = useCallback(async () => {
    const asked = { ...choiceInput(readView(query)), days: shownDays };
    return (await client.activity.days(asked)).data.days;
  }, [query]);
  const { data, error, reload } = useLoad(load);
  useReloadAt(revision, reload);
  return (
    <Card aria-label={chartTexts.title} aria-busy={data === null && error === null}>
      <CardHeader className="flex-wrap gap-y-0 pt-3 pb-1">
        <CardTitle>{chartTexts.title}</CardTitle>
        <p className="text-muted-foreground text-xs">{chartTexts.hint}</p>
      </CardHeader>
      <CardContent className="pb-3">
        {data !== null && <DayBars isSmall days={data} label={chartTexts.title} onPick={onPick} />}
        {data === null && error === null && <Skeleton className="h-25.5 w-full" />}
        {data === null && error !== null && (
          <p className="h-25.5 text-muted-foreground">{chartTexts.failed}</p>
        )}
      </CardContent>
    </Card>
  );
};

type LiveSwitchProps = { isOn: boolean; isLive: boolean; onChange: (isOn: boolean) => void };

/** Whether newer activities appear automatically, and how they do at the moment. */
const LiveSwitch = ({ isOn, isLive, onChange }: LiveSwitchProps) => {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center gap-2.5 max-sm:w-full md:min-h-8">
      <Switch id={id} checked={isOn} onCheckedChange={onChange} />
      <Label htmlFor={id}>{activityPageTexts.refresh}</Label>
      {/* In wide windows where there is room to grow, else with its room kept, so that nothing beside it moves. */}
      <span role="status" className="min-w-16 text-muted-foreground text-xs xl:order-first xl:min-w-0">
        {isOn && isLive && (
          <span className="inline-flex items-center gap-1.5 text-success">
            <span aria-hidden="true" className="size-2 rounded-full bg-success motion-safe:animate-pulse" />
            {activityPageTexts.live}
          </span>
        )}
        {isOn && !isLive && activityPageTexts.every30s}
      </span>
    </div>
  );
};

/**
 * Whether someone is in the middle of something in a table, so that its rows had better stay where they are: pointing at
 * it, having the focus on or marked text in a row, scrolled past its beginning, or looking at a dialog above it.
 */
const isReading = (table: HTMLTableElement | null): boolean => {
  if (document.querySelector("dialog:modal") !== null) return true;
  const region = table?.parentElement ?? null;
  if (region === null) return false;
  const marked = getSelection();
  return (
    region.matches(":hover") ||
    (document.activeElement !== region && region.contains(document.activeElement)) ||
    (marked?.isCollapsed === false && region.contains(marked.anchorNode)) ||
    region.getBoundingClientRect().top < 0
  );
};
