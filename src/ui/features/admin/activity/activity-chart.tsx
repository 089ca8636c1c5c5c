import { useCallback } from "react";
import { activityFilterNames, activityRefreshMs } from "#contract/activity.ts";
import { DayBars } from "#ui/components/day-bars.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { useLoad } from "#ui/lib/use-load.ts";
import { getActivityDays } from "../activity-days.ts";
import { type ActivityView, filterQuery } from "./activity-view.ts";
import { chartTexts as texts } from "./texts.ts";

type ActivityChartProps = { view: ActivityView; onPick: (day: string) => void };

const shownDays = 30;

/** How much happened each day, of what the choices among the filters let through. */
export const ActivityChart = ({ view, onPick }: ActivityChartProps) => {
  const query = filterQuery(view, activityFilterNames).toString();
  const load = useCallback(() => getActivityDays(shownDays, query), [query]);
  const { data, error } = useLoad(load, view.isLive ? activityRefreshMs : undefined);
  return (
    <Card aria-label={texts.title} aria-busy={data === null && error === null}>
      <CardHeader className="flex-wrap pb-2">
        <CardTitle>{texts.title}</CardTitle>
        <p className="text-muted-foreground text-xs">{texts.hint}</p>
      </CardHeader>
      <CardContent>
        {data !== null && <DayBars days={data} label={texts.title} onPick={onPick} />}
        {data === null && error === null && <Skeleton className="h-45.5 w-full" />}
        {data === null && error !== null && <p className="h-45.5 text-muted-foreground">{texts.failed}</p>}
      </CardContent>
    </Card>
  );
};
