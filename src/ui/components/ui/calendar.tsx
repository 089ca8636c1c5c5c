import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import {
  addDays,
  addMonths,
  clampDay,
  type DayRange,
  dayWriter,
  firstWeekday,
  isInRange,
  monthOf,
  monthWeeks,
  placeInWeek,
} from "#ui/lib/calendar-month.ts";
import { dayOf } from "#ui/lib/today.ts";
import { Button } from "./button.tsx";
import { CalendarDay } from "./calendar-day.tsx";

type CalendarProps = DayRange & {
  /** The chosen day, `YYYY-MM-DD`, or "". */
  value: string;
  /** Whether today is UTC's day and not the reader's. */
  isUtc: boolean;
  /** Called with the day that was picked, or "" by Clear. */
  onPick: (day: string) => void;
};

/**
 * A month of days to pick one from, which takes the focus when it appears. Arrows move by days and weeks, Home and End
 * within the week, Page Up and Down by months, with Shift by years. Keys and roles: WAI-ARIA APG, date picker dialog.
 */
export const Calendar = ({ value, isUtc, onPick, ...range }: CalendarProps) => {
  const locale = new Intl.DateTimeFormat().resolvedOptions().locale;
  const first = firstWeekday(locale);
  const today = isUtc ? new Date().toISOString().slice(0, 10) : dayOf(new Date(), locale).iso;
  const id = useId();
  const grid = useRef<HTMLTableElement>(null);
  const [reached, setReached] = useState({ day: clampDay(value || today, range), takesFocus: true });
  const { day } = reached;
  const weeks = monthWeeks(day, first);
  const write = useMemo(() => writers(locale), [locale]);

  // The cell that is reached may only just have come with its month, and the dialog around it opens after the first render.
  useEffect(() => {
    if (reached.takesFocus) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [reached]);

  const reach = (next: string, takesFocus: boolean) => setReached({ day: clampDay(next, range), takesFocus });

  const onKeyDown = (event: KeyboardEvent) => {
    const isPick = event.key === "Enter" || event.key === " ";
    const next = isPick ? null : dayByKey(event, day, first);
    if (event.ctrlKey || event.metaKey || event.altKey || !(isPick || next !== null)) return;
    event.preventDefault();
    if (next === null) onPick(day);
    else reach(next, true);
  };

  return (
    <>
      <div className="flex items-center">
        {steps.slice(0, 2).map((step) => (
          <MonthStep key={step.label} {...step} day={day} range={range} onStep={reach} />
        ))}
        <h2 id={id} aria-live="polite" className="grow text-center font-medium text-sm">
          {write.month(day)}
        </h2>
        {steps.slice(2).map((step) => (
          <MonthStep key={step.label} {...step} day={day} range={range} onStep={reach} />
        ))}
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: days of a month are a table, and answer to keys
        role="grid"
        aria-labelledby={id}
        onKeyDown={onKeyDown}
        className="w-full table-fixed text-sm tabular-nums"
      >
        <thead>
          <tr>
            {weeks[0]?.map((weekday) => (
              <th
                key={placeInWeek(weekday, first)}
                scope="col"
                abbr={write.weekday(weekday)}
                className="h-8 font-normal text-muted-foreground text-xs"
              >
                {write.shortWeekday(weekday)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <CalendarDay
                  key={each}
                  day={each}
                  name={write.day(each)}
                  number={write.number(each)}
                  isReached={each === day}
                  isChosen={each === value}
                  isToday={each === today}
                  isOfMonth={monthOf(each) === monthOf(day)}
                  isRefused={!isInRange(each, range)}
                  onPick={onPick}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="flex justify-between gap-2 border-border border-t p-2 md:px-0 md:pb-0">
        <Button variant="outline" size="sm" disabled={value === ""} onClick={() => onPick("")}>
          Clear
        </Button>
        <Button variant="outline" size="sm" disabled={!isInRange(today, range)} onClick={() => onPick(today)}>
          Today
        </Button>
      </div>
    </>
  );
};

const writers = (locale: string) => ({
  month: dayWriter(locale, { month: "long", year: "numeric" }),
  weekday: dayWriter(locale, { weekday: "long" }),
  shortWeekday: dayWriter(locale, { weekday: "short" }),
  day: dayWriter(locale, { dateStyle: "full" }),
  number: dayWriter(locale, { day: "numeric" }),
});

const steps = [
  { label: "Previous year", months: -12, Icon: ChevronsLeft },
  { label: "Previous month", months: -1, Icon: ChevronLeft },
  { label: "Next month", months: 1, Icon: ChevronRight },
  { label: "Next year", months: 12, Icon: ChevronsRight },
] as const;

type MonthStepProps = (typeof steps)[number] & {
  day: string;
  range: DayRange;
  onStep: (day: string, takesFocus: boolean) => void;
};

const MonthStep = ({ label, months, Icon, day, range, onStep }: MonthStepProps) => {
  const next = addMonths(day, months);
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      // Not `disabled`, which would take the focus away from whoever has just stepped to the end.
      aria-disabled={monthOf(clampDay(next, range)) === monthOf(day) || undefined}
      onClick={() => onStep(next, false)}
      className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:bg-accent hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-disabled:cursor-not-allowed aria-disabled:opacity-50 md:size-8"
    >
      <Icon aria-hidden="true" className="size-4" />
    </button>
  );
};

const dayByKey = ({ key, shiftKey }: KeyboardEvent, day: string, first: number): string | null => {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -7);
    case "ArrowDown":
      return addDays(day, 7);
    case "Home":
      return addDays(day, -placeInWeek(day, first));
    case "End":
      return addDays(day, 6 - placeInWeek(day, first));
    case "PageUp":
      return addMonths(day, shiftKey ? -12 : -1);
    case "PageDown":
      return addMonths(day, shiftKey ? 12 : 1);
    default:
      return null;
  }
};
