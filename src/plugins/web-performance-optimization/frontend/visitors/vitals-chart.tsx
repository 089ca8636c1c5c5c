import { Card, CardContent, CardHeader, CardTitle, cn, Field, Select } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import { type Figure, type Metric, metrics, type Rating, type Summary } from "../../backend/wire.ts";
import { formatFigure } from "../calls.ts";
import { metricTexts, ratingTexts, texts } from "../texts.ts";

type Point = { at: string; figure: Figure | undefined };

const fills: Record<Rating, string> = {
  good: "fill-success",
  "needs-improvement": "fill-warning",
  poor: "fill-destructive",
  "too-few": "fill-muted-foreground",
};

/** One metric over time: a bar for each hour or day, and the same as a table for screen readers. */
export const VitalsChart = ({ summary: { series, days } }: { summary: Summary }) => {
  const [metric, setMetric] = useState<Metric>("LCP");
  const points = series.map(({ at, metrics: figures }) => ({ at, figure: figures[metric] }));
  const write = timeWriter(days);
  return (
    <Card>
      <CardHeader className="flex-wrap">
        <CardTitle>{texts.overTime}</CardTitle>
        <Field label={texts.metric} className="w-full sm:w-64">
          <Select
            value={metric}
            onChange={({ target }) => setMetric(asMetric(target.value))}
            options={metrics.map((name) => [name, `${name} · ${metricTexts[name].name}`])}
          />
        </Field>
      </CardHeader>
      <CardContent>
        <Bars points={points} metric={metric} write={write} days={days} />
        <PointsTable points={points} metric={metric} write={write} />
      </CardContent>
    </Card>
  );
};

type PointsProps = { points: readonly Point[]; metric: Metric; write: (at: string) => string };

const Bars = ({ points, metric, write, days }: PointsProps & { days: number }) => {
  const [shown, setShown] = useState<string | null>(null);
  const most = Math.max(Number.MIN_VALUE, ...points.map(({ figure }) => figure?.p75 ?? 0));
  const peak = points.find(({ figure }) => figure !== undefined && figure.p75 === most);
  const told = points.find(({ at }) => at === shown) ?? peak;
  const width = 100 / points.length;
  return (
    <div aria-hidden="true" className="grid grid-cols-1 gap-1.5">
      <p className="h-5 text-sm tabular-nums">
        {told?.figure !== undefined && `${write(told.at)}: ${formatFigure(metric, told.figure.p75)}`}
      </p>
      <svg
        aria-hidden="true"
        className="h-40 w-full border-border border-b"
        onPointerLeave={() => setShown(null)}
      >
        {points.map(({ at, figure }, index) => {
          const height = ((figure?.p75 ?? 0) / most) * 100;
          return (
            <g key={at} onPointerEnter={() => setShown(at)}>
              <rect x={`${index * width}%`} width={`${width}%`} height="100%" className="fill-transparent" />
              <rect
                x={`${(index + 0.1) * width}%`}
                width={`${width * 0.8}%`}
                y={`${100 - height}%`}
                height={`${height}%`}
                className={cn(figure !== undefined && fills[figure.rating], shown === at && "opacity-75")}
              />
            </g>
          );
        })}
      </svg>
      <svg aria-hidden="true" className="h-6 w-full text-xs tabular-nums">
        {axisTicks(
          points.map(({ at }) => at),
          days,
        ).map((tick, place) => (
          <AxisTick key={tick.index} tick={tick} width={width} isMinor={place % 2 === 1} />
        ))}
      </svg>
    </div>
  );
};

type AxisTickProps = { tick: Tick; width: number; isMinor: boolean };

/** A line below its bar, and the word; narrow windows have room for every other one. */
const AxisTick = ({ tick: { index, text, side }, width, isMinor }: AxisTickProps) => {
  const middle = `${(index + 0.5) * width}%`;
  const edge = { start: "0", middle, end: "100%" }[side];
  return (
    <g className={cn("fill-muted-foreground", isMinor && "max-sm:hidden")}>
      <line x1={middle} x2={middle} y1="0" y2="4" className="stroke-border" />
      <text x={edge} y="18" textAnchor={side}>
        {text}
      </text>
    </g>
  );
};

const PointsTable = ({ points, metric, write }: PointsProps) => (
  <div className="sr-only">
    <table>
      <caption>{texts.chartOf(metric)}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.time}</th>
          <th scope="col">{texts.value}</th>
          <th scope="col">{texts.rating}</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ at, figure }) => (
          <tr key={at}>
            <th scope="row">{write(at)}</th>
            <td>{figure === undefined ? texts.notMeasured : formatFigure(metric, figure.p75)}</td>
            <td>{figure === undefined ? texts.none : ratingTexts[figure.rating]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Hours stand in the reader's own time; days are those of UTC, by which they are counted. */
const timeWriter = (days: number): ((at: string) => string) => {
  const { format } = new Intl.DateTimeFormat(
    undefined,
    days === 1
      ? { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }
      : { day: "numeric", month: "short", timeZone: "UTC" },
  );
  return (at) => (at === "" ? "" : format(new Date(at)));
};

const asMetric = (value: string): Metric => metrics.find((metric) => metric === value) ?? "LCP";

/** A word on the time axis: of which bar, and how it lies to that bar's middle. */
type Tick = { index: number; text: string; side: "start" | "middle" | "end" };

const parts = 4;

/**
 * What stands below a chart of so many days, whose bars begin at these instants: both ends, and what lies a quarter, a half
 * and three quarters between them. Hours are in the reader's own time and name their day; days are those of UTC.
 */
export const axisTicks = (starts: readonly string[], days: number): Tick[] => {
  if (starts.length === 0) return [];
  const last = starts.length - 1;
  const wanted = Array.from({ length: parts + 1 }, (_, part) => Math.round((last * part) / parts));
  const { format } = new Intl.DateTimeFormat(
    undefined,
    days === 1 ? { weekday: "short", hour: "numeric" } : { day: "numeric", month: "short", timeZone: "UTC" },
  );
  const textAt = (index: number): string => {
    if (days === 1 && index === 0) return texts.dayAgo;
    return days === 1 && index === last ? texts.now : format(new Date(starts[index] ?? ""));
  };
  return [...new Set(wanted)].map((index) => ({ index, text: textAt(index), side: sideOf(index, last) }));
};

const sideOf = (index: number, last: number): Tick["side"] => {
  if (index === 0) return "start";
  return index === last ? "end" : "middle";
};
