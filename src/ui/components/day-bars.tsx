import { type ComponentProps, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { dayWriter } from "#ui/lib/calendar.ts";
import { cn } from "#ui/lib/cn.ts";

type DayBarsProps = {
  /** Oldest first, every day there. */
  days: readonly DayCount[];
  /** What is counted: the name of the chart and of its table. */
  label: string;
  /** Makes each bar a button; called with its day. */
  onPick?: ((date: string) => void) | undefined;
  /** Half as high. */
  isSmall?: boolean;
};

/**
 * How much there was each day, failures at the foot of each bar. The highest bar says its number; the others do when they
 * are pointed at, or reached by Tab and arrow keys where they are buttons. Screen readers get a table.
 */
export const DayBars = ({ days, label, onPick, isSmall = false }: DayBarsProps) => {
  const bars = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<string | null>(null);
  const [reached, setReached] = useState<string | null>(null);
  const write = useMemo(() => ({ day: dayCountWriter(), count: new Intl.NumberFormat().format }), []);
  const most = Math.max(0, ...days.map(({ total }) => total));
  const peak = days.find(({ total }) => total === most)?.date;
  // The newest day is where the keyboard comes in first.
  const stop = days.some(({ date }) => date === reached) ? reached : days.at(-1)?.date;

  const wordsOf = (day: DayCount): string | null => {
    if (shown !== null) return shown === day.date ? write.day(day) : null;
    return day.date === peak && most > 0 ? write.count(most) : null;
  };
  const reach = (date: string) => {
    setReached(date);
    setShown(date);
  };
  const leave = () => setShown(bars.current?.contains(document.activeElement) ? reached : null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeByKey(
      event.key,
      days.findIndex(({ date }) => date === stop),
      days.length - 1,
    );
    if (next === null) return;
    event.preventDefault();
    bars.current?.querySelectorAll("button")[next]?.focus();
  };

  return (
    <div className="relative">
      <div
        ref={bars}
        {...(onPick === undefined
          ? { "aria-hidden": true }
          : { role: "group", "aria-label": label, onKeyDown })}
        onPointerLeave={leave}
        className={cn("relative flex border-border border-b pt-5", isSmall ? "h-20" : "h-40")}
      >
        {days.map((day, index) => (
          <DayBar
            key={day.date}
            day={day}
            most={most}
            words={wordsOf(day)}
            third={Math.floor((index / days.length) * 3)}
            onPoint={() => setShown(day.date)}
            {...(onPick !== undefined && {
              button: {
                "aria-label": write.day(day),
                tabIndex: day.date === stop ? 0 : -1,
                onFocus: () => reach(day.date),
                onBlur: () => setShown(null),
                onClick: () => onPick(day.date),
              },
            })}
          />
        ))}
        {most === 0 && (
          <p className="absolute inset-0 grid place-items-center text-muted-foreground text-sm">
            Nothing on these days
          </p>
        )}
      </div>
      <DayBarsAxis days={days} />
      <DayBarsTable days={days} label={label} />
    </div>
  );
};

const placeByKey = (key: string, place: number, last: number): number | null => {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, place - 1);
    case "ArrowRight":
      return Math.min(last, place + 1);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
};

/** First and last day below a chart of days, and between them, marked as their bars are, how many failed. */
const DayBarsAxis = ({ days }: { days: readonly DayCount[] }) => {
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const write = dayWriter(undefined, { day: "numeric", month: "short" });
  const failures = days.reduce((sum, day) => sum + day.failures, 0);
  return (
    <p
      aria-hidden="true"
      className="mt-1.5 flex justify-between gap-3 text-muted-foreground text-xs tabular-nums"
    >
      <span>{write(first.date)}</span>
      {failures > 0 && (
        <span className="flex items-center gap-1.5 text-destructive">
          <span className="size-2 rounded-xs bg-destructive" />
          {new Intl.NumberFormat().format(failures)} failed
        </span>
      )}
      {last !== first && <span>{write(last.date)}</span>}
    </p>
  );
};

/** The numbers of a chart of days as a table that only screen readers meet. */
const DayBarsTable = ({ days, label }: { days: readonly DayCount[]; label: string }) => {
  const write = dayWriter(undefined, { dateStyle: "long" });
  const { format } = new Intl.NumberFormat();
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">All</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, total, failures }) => (
            <tr key={date}>
              <th scope="row">{write(date)}</th>
              <td>{format(total)}</td>
              <td>{format(failures)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

type DayBarProps = {
  day: DayCount;
  /** The highest day's number. */
  most: number;
  /** Stands above the bar; `null` for nothing. */
  words: string | null;
  /** In which third of the chart the bar is, from 0: its words grow to where there is room. */
  third: number;
  onPoint: () => void;
  /** Makes it a button. */
  button?: ComponentProps<"button">;
};

/** One day's column in a chart of days, as high as the chart. Drawn by geometry alone: the policy refuses style attributes. */
const DayBar = ({ day, most, words, third, onPoint, button }: DayBarProps) => {
  const { total, failures } = barHeights(day, most);
  const content = (
    <>
      <svg aria-hidden="true" className="absolute inset-0 size-full">
        <rect x="10%" width="80%" y={`${100 - total}%`} height={`${total}%`} className="fill-chart-1" />
        <rect
          x="10%"
          width="80%"
          y={`${100 - failures}%`}
          height={`${failures}%`}
          className="fill-destructive"
        />
      </svg>
      {words !== null && (
        <span
          aria-hidden="true"
          className={cn(
            "pointer-events-none absolute bottom-full whitespace-nowrap pb-0.5 text-xs tabular-nums",
            third === 0 && "left-[10%]",
            third === 1 && "left-1/2 -translate-x-1/2",
            third === 2 && "right-[10%]",
          )}
        >
          {words}
        </span>
      )}
    </>
  );
  const place = "relative min-w-0 grow basis-0 rounded-t-sm hover:bg-accent";
  if (button === undefined) {
    return (
      <div onPointerEnter={onPoint} className={place}>
        {content}
      </div>
    );
  }
  return (
    <button
      type="button"
      onPointerEnter={onPoint}
      className={cn(place, "cursor-pointer focus-visible:z-10 focus-visible:outline-offset-0")}
      {...button}
    >
      {content}
    </button>
  );
};

/** What one day counts: all of it, and how much of that failed. `date` is `YYYY-MM-DD`. */
export type DayCount = { date: string; total: number; failures: number };

/** Says a day with its numbers: "21 November: 124, 3 failed" as the reader's language writes days and numbers. */
export const dayCountWriter = (locale?: string): ((count: DayCount) => string) => {
  const writeDay = dayWriter(locale, { day: "numeric", month: "long" });
  const { format } = new Intl.NumberFormat(locale);
  return ({ date, total, failures }) =>
    `${writeDay(date)}: ${format(total)}${failures > 0 ? `, ${format(failures)} failed` : ""}`;
};

/**
 * Heights of a day's bar and of its failed part, in percent of the highest bar's. What is not nothing is at least 4 %, so
 * that a single failure among thousands is seen.
 */
export const barHeights = (
  { total, failures }: DayCount,
  most: number,
): { total: number; failures: number } => {
  const height = (count: number) => (count === 0 ? 0 : Math.max(4, Math.round((count / most) * 1_000) / 10));
  return { total: height(total), failures: height(failures) };
};
