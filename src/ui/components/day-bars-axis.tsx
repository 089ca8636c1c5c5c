import { dayWriter } from "#ui/lib/calendar-month.ts";
import type { DayCount } from "#ui/lib/day-count.ts";

/** First and last day below a chart of days, and between them, marked as their bars are, how many failed. */
export const DayBarsAxis = ({ days }: { days: readonly DayCount[] }) => {
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
