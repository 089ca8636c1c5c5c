import { cn } from "#ui/lib/cn.ts";

type CalendarDayProps = {
  /** As `YYYY-MM-DD`. */
  day: string;
  /** The whole date in words. */
  name: string;
  /** What is written in the cell. */
  number: string;
  /** Whether the keyboard is at it. */
  isReached: boolean;
  isChosen: boolean;
  isToday: boolean;
  isOfMonth: boolean;
  /** Whether it lies outside of what may be chosen. */
  isRefused: boolean;
  onPick: (day: string) => void;
};

/** A day in a calendar's grid. Keys are the grid's business; only the day that is reached can be tabbed to. */
export const CalendarDay = ({
  day,
  name,
  number,
  isReached,
  isChosen,
  isToday,
  isOfMonth,
  isRefused,
  onPick,
}: CalendarDayProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it answers to Enter and Space
  <td
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells of a grid are of the table's making
    role="gridcell"
    tabIndex={isReached ? 0 : -1}
    aria-label={name}
    aria-selected={isChosen}
    aria-current={isToday ? "date" : undefined}
    aria-disabled={isRefused || undefined}
    onClick={() => !isRefused && onPick(day)}
    className={cn(
      "h-11 cursor-pointer rounded-md text-center outline-none hover:bg-accent focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset md:h-9",
      !isOfMonth && "text-muted-foreground",
      isToday && "font-semibold text-primary underline underline-offset-4",
      isChosen && "bg-primary text-primary-foreground hover:bg-primary-hover",
      isRefused && "cursor-not-allowed opacity-40 hover:bg-transparent",
    )}
  >
    {number}
  </td>
);
