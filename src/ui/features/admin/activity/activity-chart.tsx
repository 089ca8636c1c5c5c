import { useCallback } from "react";
import { DayBars } from "#ui/components/day-bars.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { type ActivityView, choiceInput, filterQuery, readView } from "./activity-view.ts";
import { chartTexts as texts } from "./texts.ts";
import { useReloadAt } from "./use-revision.ts";

type ActivityChartProps = {
  view: ActivityView;
  /** Asks again when it grows. */
  revision: number;
  onPick: (day: string) => void;
};

const shownDays = 30;

/** How much happened each day, of what the choices among the filters let through. */
export const ActivityChart = ({ view, revision, onPick }: ActivityChartProps) => {
  const query = filterQuery({ ...view, search: "", startDate: "", endDate: "" }).toString();
  const load = useCallback(async () => {
    const asked = { ...choiceInput(readView(query)), days: shownDays };
    return (await client.activity.days(asked)).data.days;
  }, [query]);
  const { data, error, reload } = useLoad(load);
  useReloadAt(revision, reload);
  return (
    <Card aria-label={texts.title} aria-busy={data === null && error === null}>
      <CardHeader className="flex-wrap gap-y-0 pt-3 pb-1">
        <CardTitle>{texts.title}</CardTitle>
        <p className="text-muted-foreground text-xs">{texts.hint}</p>
      </CardHeader>
      <CardContent className="pb-3">
        {data !== null && <DayBars isSmall days={data} label={texts.title} onPick={onPick} />}
        {data === null && error === null && <Skeleton className="h-25.5 w-full" />}
        {data === null && error !== null && <p className="h-25.5 text-muted-foreground">{texts.failed}</p>}
      </CardContent>
    </Card>
  );
};
