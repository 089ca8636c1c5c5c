import { cn } from "#ui/lib/cn.ts";

type CalendarCellProps = {
  /** Of its days the one that is meant, as `YYYY-MM-DD`. */
  day: string;
  /** The whole day, month or year in words. */
  name: string;
  /** What is written in the cell. */
  text: string;
  /** Whether the keyboard is at it. */
  isReached: boolean;
  isChosen: boolean;
  /** Whether today is in it. */
  isCurrent: boolean;
  /** Whether it is only there to fill a row. */
  isAside: boolean;
  /** Whether it lies outside of what may be chosen. */
  isRefused: boolean;
  onPick: (day: string) => void;
};

/** A day, month or year in a calendar's grid. Keys are the grid's business; only the cell that is reached can be tabbed to. */
export const CalendarCell = ({
  day,
  name,
  text,
  isReached,
  isChosen,
  isCurrent,
  isAside,
  isRefused,
  onPick,
}: CalendarCellProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it answers to Enter and Space
  <td
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells of a grid are of the table's making
    role="gridcell"
    tabIndex={isReached ? 0 : -1}
    aria-label={name}
    aria-selected={isChosen}
    aria-current={isCurrent ? "date" : undefined}
    aria-disabled={isRefused || undefined}
    onClick={() => !isRefused && onPick(day)}
    className={cn(
      "h-11 cursor-pointer rounded-md text-center outline-none hover:bg-accent focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset md:h-9",
      isAside && "text-muted-foreground",
      isCurrent && "font-semibold text-primary underline underline-offset-4",
      isChosen && "bg-primary text-primary-foreground hover:bg-primary-hover",
      isRefused && "cursor-not-allowed opacity-40 hover:bg-transparent",
    )}
  >
    {text}
  </td>
);
