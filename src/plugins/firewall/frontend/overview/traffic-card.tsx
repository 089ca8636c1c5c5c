import {
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  cn,
  formatCount,
  Skeleton,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { useCallback, useMemo, useState } from "react";
import type { Counts } from "../../backend/wire.ts";
import { LoadAlert } from "../parts/load-alert.tsx";
import { overviewTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { MinuteChart } from "./minute-chart.tsx";
import { chartRanges, groupMinutes } from "./minute-groups.ts";

const restingMs = 30_000;

/** What came in: in numbers for a day, and over time. */
export const TrafficCard = ({ counts }: { counts: Counts | null }) => {
  const { calls } = useFirewall();
  const [hours, setHours] = useState<(typeof chartRanges)[number]["hours"]>(24);
  const size = chartRanges.find((range) => range.hours === hours)?.minutes ?? 1;
  const load = useCallback(() => calls.minutes(hours), [calls, hours]);
  const { data, error, isLoading, reload } = useLoad(load, restingMs);
  const groups = useMemo(() => (data === null ? null : groupMinutes(data.minutes, size)), [data, size]);
  return (
    <Card aria-labelledby="firewall-traffic" aria-busy={isLoading && data === null}>
      <CardHeader className="flex-wrap">
        <CardTitle id="firewall-traffic">{texts.counts}</CardTitle>
        <fieldset className="flex rounded-md border border-border p-0.5">
          <legend className="sr-only">{texts.range}</legend>
          {chartRanges.map((range) => (
            <button
              key={range.hours}
              type="button"
              aria-pressed={hours === range.hours}
              onClick={() => setHours(range.hours)}
              className="h-11 cursor-pointer rounded-sm px-3 text-[0.8125rem] text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring aria-pressed:bg-muted aria-pressed:font-medium aria-pressed:text-foreground md:h-7"
            >
              {texts.ranges[range.hours]}
            </button>
          ))}
        </fieldset>
      </CardHeader>
      <CardContent className="grid gap-5">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
          {names.map((name) => (
            <div key={name} className="grid content-start">
              <dt className="text-[0.8125rem] text-muted-foreground">{texts[name]}</dt>
              <dd
                className={cn(
                  "flex min-h-8 items-center font-semibold text-xl tabular-nums",
                  counts?.[name] === 0 ? "text-muted-foreground" : tints[name],
                )}
              >
                {counts === null ? <Skeleton className="h-5 w-14" /> : formatCount(counts[name])}
              </dd>
              <dd className="text-muted-foreground text-xs">{texts.hints[name]}</dd>
            </div>
          ))}
        </dl>
        {groups === null && error === null && <Skeleton className="h-44 w-full" />}
        {groups === null && error !== null && <LoadAlert error={error} onRetry={reload} />}
        {groups !== null && <MinuteChart groups={groups} minutes={size} />}
      </CardContent>
    </Card>
  );
};

const names = ["passed", "blocked", "limited", "wouldBlock", "spared"] as const;
const tints = {
  passed: "",
  blocked: "text-destructive",
  limited: "text-destructive",
  wouldBlock: "text-warning",
  spared: "",
};
