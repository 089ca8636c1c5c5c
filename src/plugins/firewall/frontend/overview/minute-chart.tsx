import { cn, formatCount, formatDateTime } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import type { Counts, MinutesData } from "../../backend/wire.ts";
import { overviewTexts as texts } from "../texts.ts";

/** `minutes`: what each bar stands for. */
type MinuteChartProps = { groups: Group[]; minutes: number };

/**
 * How much came in over time, and how much of it was stopped, each in bars of its own: against all that passes, what is
 * stopped would not be seen. Screen readers get a table.
 */
export const MinuteChart = ({ groups, minutes }: MinuteChartProps) => {
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = pointed === null ? undefined : groups[pointed];
  const rows = [
    { name: texts.all, count: allOf, look: "fill-chart-1", height: "h-24" },
    { name: texts.stoppedNow, count: stoppedOf, look: "fill-destructive", height: "h-14" },
  ] as const;
  return (
    <div>
      <div aria-hidden="true" className="grid gap-3" onPointerLeave={() => setPointed(null)}>
        {rows.map(({ name, count, look, height }) => (
          <Bars
            key={name}
            name={name}
            counts={groups.map(count)}
            now={shown === undefined ? null : `${count(shown)} · ${formatDateTime(shown.at)}`}
            span={texts.minutes(minutes)}
            look={look}
            height={height}
            pointed={pointed}
            onPoint={setPointed}
          />
        ))}
        <Axis groups={groups} />
      </div>
      <MinuteTable groups={groups} />
    </div>
  );
};

type BarsProps = {
  name: string;
  counts: number[];
  /** What the bar that is pointed at says. */
  now: string | null;
  span: string;
  look: string;
  height: string;
  pointed: number | null;
  onPoint: (index: number) => void;
};

const Bars = ({ name, counts, now, span, look, height, pointed, onPoint }: BarsProps) => {
  const most = Math.max(0, ...counts);
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap justify-between gap-x-4 text-xs">
        <span className="font-medium">{name}</span>
        <span className="text-muted-foreground tabular-nums">
          {now ?? (most > 0 ? texts.peak(formatCount(most), span) : texts.noChart)}
        </span>
      </p>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${counts.length} 100`}
        preserveAspectRatio="none"
        className={cn("w-full border-border border-b", height)}
      >
        {counts.map((count, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in the chart
          <g key={index} onPointerEnter={() => onPoint(index)}>
            <rect
              x={index}
              width={1}
              y={0}
              height={100}
              className={pointed === index ? "fill-muted" : "fill-transparent"}
            />
            <rect x={index + 0.1} width={0.8} {...barOf(count, most)} className={look} />
          </g>
        ))}
      </svg>
    </div>
  );
};

// One request among thousands is still to be seen.
const leastHeight = 2;

const barOf = (count: number, most: number) => {
  const height = count === 0 ? 0 : Math.max(leastHeight, (count / most) * 100);
  return { y: 100 - height, height };
};

const Axis = ({ groups }: { groups: Group[] }) => {
  const first = groups.at(0);
  if (first === undefined) return null;
  return (
    <p className="flex justify-between gap-3 text-muted-foreground text-xs tabular-nums">
      <span>{formatDateTime(first.at)}</span>
      <span>{texts.now}</span>
    </p>
  );
};

const MinuteTable = ({ groups }: { groups: Group[] }) => (
  <div className="sr-only">
    <table>
      <caption>{texts.chart}</caption>
      <thead>
        <tr>
          {(["time", ...countNames] as const).map((name) => (
            <th key={name} scope="col">
              {texts[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.at}>
            <th scope="row">{formatDateTime(group.at)}</th>
            {countNames.map((name) => (
              <td key={name}>{formatCount(group[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** What came in within some minutes that follow each other. */
type Group = Counts & { at: string };

/** How long the chart looks back, in hours, and how many minutes each of its bars then stands for. */
export const chartRanges = [
  { hours: 1, minutes: 1 },
  { hours: 6, minutes: 5 },
  { hours: 24, minutes: 15 },
] as const;

/** What is counted, in the order in which it is shown. */
export const countNames = ["passed", "blocked", "limited", "wouldBlock", "spared"] as const;

const minuteMs = 60_000;

/** The minutes gathered into groups that begin at full multiples of `size` minutes, oldest first; none is left out. */
export const groupMinutes = (minutes: MinutesData["minutes"], size: number): Group[] => {
  const groups: Group[] = [];
  for (const minute of minutes) {
    const begin = Math.floor(Date.parse(minute.at) / (size * minuteMs)) * size * minuteMs;
    const at = new Date(begin).toISOString();
    const last = groups.at(-1);
    if (last?.at === at) for (const name of countNames) last[name] += minute[name];
    else groups.push({ ...minute, at });
  }
  return groups;
};

/** All requests of a group: whatever was counted went through or was stopped. */
export const allOf = (counts: Counts): number => countNames.reduce((sum, name) => sum + counts[name], 0);

/** Those that were refused. */
export const stoppedOf = ({ blocked, limited }: Counts): number => blocked + limited;
