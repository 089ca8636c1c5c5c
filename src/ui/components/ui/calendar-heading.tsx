import { ChevronDown, ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import { addMonths, clampDay, type DayRange, monthOf } from "#ui/lib/calendar-month.ts";
import type { CalendarView } from "#ui/lib/calendar-view.ts";
import { cn } from "#ui/lib/cn.ts";

type CalendarHeadingProps = {
  view: CalendarView;
  /** The view to switch to. */
  other: CalendarView | undefined;
  day: string;
  range: DayRange;
  onShow: (view: CalendarView) => void;
  onStep: (day: string) => void;
  /** The month in words. */
  children: string;
};

/** The month that a calendar is at, which switches between the views; beside it, among days, steps to others. */
export const CalendarHeading = ({
  view,
  other,
  day,
  range,
  onShow,
  onStep,
  children,
}: CalendarHeadingProps) => {
  const isOfDays = view === "day";
  const stepsOf = (some: typeof steps) =>
    isOfDays &&
    some.map((step) => <MonthStep key={step.label} {...step} day={day} range={range} onStep={onStep} />);
  return (
    <div className="flex items-center">
      {stepsOf(steps.slice(0, 2))}
      {/* Years and months are told by their cells. */}
      <h2 aria-live={isOfDays ? "polite" : "off"} className="grow text-center font-medium text-sm">
        {other === undefined ? (
          children
        ) : (
          <button
            type="button"
            title={`Choose the ${other}`}
            onClick={() => onShow(other)}
            className={cn(control, "inline-flex min-h-11 items-center gap-1 px-1.5 md:min-h-8")}
          >
            {children}
            <ChevronDown aria-hidden="true" className={cn("size-4", !isOfDays && "rotate-180")} />
          </button>
        )}
      </h2>
      {stepsOf(steps.slice(2))}
    </div>
  );
};

const control =
  "cursor-pointer rounded-md outline-none hover:bg-accent focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset";

const steps = [
  { label: "Previous year", months: -12, Icon: ChevronsLeft },
  { label: "Previous month", months: -1, Icon: ChevronLeft },
  { label: "Next month", months: 1, Icon: ChevronRight },
  { label: "Next year", months: 12, Icon: ChevronsRight },
];

type MonthStepProps = (typeof steps)[number] & {
  day: string;
  range: DayRange;
  onStep: (day: string) => void;
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
      onClick={() => onStep(next)}
      className={cn(
        control,
        "grid size-11 shrink-0 place-items-center text-muted-foreground hover:text-foreground aria-disabled:cursor-not-allowed aria-disabled:opacity-50 md:size-8",
      )}
    >
      <Icon aria-hidden="true" className="size-4" />
    </button>
  );
};
