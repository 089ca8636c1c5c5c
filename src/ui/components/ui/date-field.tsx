import {
  CalendarDays,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  ChevronsRight,
} from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import {
  addMonths,
  type CalendarView,
  calendarBounds,
  cellOf,
  clampDay,
  type DayRange,
  dayByKey,
  dayWriter,
  firstWeekday,
  isInRange,
  monthOf,
  readTypedDay,
  viewRows,
} from "#ui/lib/calendar.ts";
import { cn } from "../../lib/cn.ts";
import { dayOf } from "../../lib/moments.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";
import { useModal } from "./use-modal.ts";

type DateFieldProps = CalendarOptions & {
  label: string;
  name: string;
  /** The day as `YYYY-MM-DD`, or "" for none. */
  value: string;
  /** Called with a day that may be chosen, or "", once it is picked, or typed and left or confirmed by Enter. */
  onChange: (day: string) => void;
  hint?: ReactNode;
  /** Whether days are meant in UTC, so that today is UTC's and not the reader's. */
  isUtc?: boolean;
  id?: string | undefined;
};

/** A day, typed or picked from a calendar. What cannot be read stays as it was typed, and the field says why. */
export const DateField = ({
  label,
  name,
  value,
  onChange,
  hint,
  isUtc = false,
  id,
  ...options
}: DateFieldProps) => {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  // A value that has come from elsewhere meanwhile outdoes what is being typed.
  const typed = draft?.over === value ? draft : null;
  const text = typed?.text ?? value;
  const error = typed?.isSettled === false ? null : problemOf(text, options);

  const settle = () => {
    if (typed === null) return;
    const isWrong = problemOf(text, options) !== null;
    setDraft(isWrong ? { ...typed, isSettled: true } : null);
    if (!isWrong) choose(readTypedDay(text).day ?? "");
  };
  const choose = (day: string) => {
    if (day !== value) onChange(day);
  };
  const pick = (day: string) => {
    setDraft(null);
    setIsOpen(false);
    choose(day);
  };

  return (
    <Field label={label} hint={hint} error={error} id={id}>
      <div className="opener relative">
        <Input
          name={name}
          value={text}
          placeholder="YYYY-MM-DD"
          autoComplete="off"
          spellCheck={false}
          className="pr-12 tabular-nums"
          onChange={({ target }) => setDraft({ text: target.value, over: value, isSettled: false })}
          onBlur={settle}
          onKeyDown={({ key }) => key === "Enter" && settle()}
        />
        <button
          ref={opener}
          type="button"
          aria-label={`Open calendar: ${label}`}
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
          className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset md:w-9"
        >
          <CalendarDays aria-hidden="true" className="size-4" />
        </button>
        {isOpen && (
          <CalendarDialog
            label={label}
            opener={opener}
            onClose={() => setIsOpen(false)}
            value={value}
            isUtc={isUtc}
            onPick={pick}
            {...options}
          />
        )}
      </div>
    </Field>
  );
};

/** What is being typed, over which value, and whether it was left or confirmed. */
type Draft = { text: string; over: string; isSettled: boolean };

const problemOf = (text: string, range: DayRange): string | null => {
  if (text.trim() === "") return null;
  const { day, problem } = readTypedDay(text);
  if (day === null || isInRange(day, range)) return problem;
  const { min = calendarBounds.min, max = calendarBounds.max } = range;
  return day < min ? `Choose ${min} or a later day` : `Choose ${max} or an earlier day`;
};

type CalendarDialogProps = CalendarProps & {
  label: string;
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
};

/** A calendar that hangs on its field, or is in the middle of a phone. */
const CalendarDialog = ({ label, opener, onClose, ...calendar }: CalendarDialogProps) => {
  const ref = useModal({ onClose, returnFocusTo: opener });
  return (
    <dialog
      ref={ref}
      data-hung=""
      aria-label={`Calendar: ${label}`}
      className="md:hung-on-opener m-auto w-[min(100%-0.5rem,21rem)] max-w-none rounded-lg border border-border bg-popover p-0 text-popover-foreground shadow-lg transition-opacity duration-150 starting:opacity-0 md:w-74 md:backdrop:bg-transparent"
    >
      <div className="md:p-3">
        <Calendar {...calendar} />
      </div>
    </dialog>
  );
};

/** What a calendar offers and how; years and days of 1900 to 2099, beginning with days, unless told otherwise. */
type CalendarOptions = DayRange & {
  /** From coarse to fine: choosing leads to the next, and in the last one picks. */
  views?: readonly CalendarView[];
  /** The view that it begins with, and that Escape leads back to. */
  openTo?: CalendarView;
  yearsPerRow?: number;
  monthsPerRow?: number;
};

/** What a calendar is of, and what it offers. */
type CalendarProps = CalendarOptions & {
  /** The chosen day, `YYYY-MM-DD`, or "". */
  value: string;
  /** Whether today is UTC's day and not the reader's. */
  isUtc: boolean;
  /** Called with the day that was picked, or "" by Clear. */
  onPick: (day: string) => void;
};

const yearAndDay = ["year", "day"] as const;

/**
 * A month of days to pick one from, which takes the focus when it appears, and behind its heading all years. Arrows move
 * by cells and rows, Home and End within the row, Page Up and Down by months, with Shift by years, among years by
 * several rows. Keys and roles: WAI-ARIA APG, date picker dialog.
 */
const Calendar = ({
  value,
  isUtc,
  onPick,
  views = yearAndDay,
  openTo = "day",
  yearsPerRow = 3,
  monthsPerRow = 3,
  ...range
}: CalendarProps) => {
  const locale = new Intl.DateTimeFormat().resolvedOptions().locale;
  const today = isUtc ? new Date().toISOString().slice(0, 10) : dayOf(new Date(), locale).iso;
  const grid = useRef<HTMLTableElement>(null);
  const [reached, setReached] = useState({
    day: clampDay(value || today, range),
    view: openTo,
    takesFocus: true,
  });
  const { day, view } = reached;
  const isSame = (one: string, two: string) => cellOf(one, view) === cellOf(two, view);
  const perRow = view === "year" ? yearsPerRow : monthsPerRow;
  const rows = viewRows(view, day, { ...range, perRow, firstWeekday: firstWeekday(locale) });
  const write = useMemo(() => writers(locale), [locale]);
  const heading = write.month.name(day);
  const other = views[view === views[0] ? 1 : 0];

  // The cell that is reached may only just have come with its view, and the dialog around it opens after the first render.
  useEffect(() => {
    if (reached.takesFocus) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [reached]);

  const reach = (next: string, takesFocus = false) =>
    setReached({ day: clampDay(next, range), view, takesFocus });

  const show = (next: CalendarView, at = day) => setReached({ day: at, view: next, takesFocus: true });

  const choose = (cell: string) => {
    const finer = views[views.indexOf(view) + 1];
    const chosen = clampDay(cell, range);
    if (finer === undefined) onPick(chosen);
    else show(finer, chosen);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const isChoice = event.key === "Enter" || event.key === " ";
    const next = isChoice ? null : dayByKey(event, view, day, rows);
    if (event.ctrlKey || event.metaKey || event.altKey || !(isChoice || next !== null)) return;
    event.preventDefault();
    if (next === null) choose(day);
    else reach(next, true);
  };

  const goBack = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || view === openTo) return;
    // Or the dialog around would close.
    event.preventDefault();
    show(openTo);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what is pressed inside
    <div onKeyDown={goBack}>
      <CalendarHeading view={view} other={other} day={day} range={range} onShow={show} onStep={reach}>
        {heading}
      </CalendarHeading>
      <div className="h-74 overflow-y-auto md:h-62">
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: days of a month are a table, and answer to keys
          role="grid"
          aria-label={view === "day" ? heading : `Choose the ${view}`}
          onKeyDown={onKeyDown}
          className="h-full w-full table-fixed text-sm tabular-nums"
        >
          {view === "day" && (
            <thead>
              <tr>
                {rows[0]?.map((weekday) => (
                  <th
                    key={write.weekday(weekday)}
                    scope="col"
                    abbr={write.weekday(weekday)}
                    className="h-8 font-normal text-muted-foreground text-xs"
                  >
                    {write.shortWeekday(weekday)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.map((row) => (
              <tr key={row[0]}>
                {row.map((each) => (
                  <CalendarCell
                    key={cellOf(each, view)}
                    day={each}
                    name={write[view].name(each)}
                    text={write[view].text(each)}
                    isReached={isSame(each, day)}
                    isChosen={isSame(each, value)}
                    isCurrent={isSame(each, today)}
                    isAside={view === "day" && monthOf(each) !== monthOf(day)}
                    isRefused={!isSame(each, clampDay(each, range))}
                    onPick={choose}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex justify-between gap-2 border-border border-t p-2 md:px-0 md:pb-0">
        <Button variant="outline" size="sm" disabled={value === ""} onClick={() => onPick("")}>
          Clear
        </Button>
        <Button
          variant="outline"
          size="sm"
          disabled={clampDay(today, range) !== today}
          onClick={() => onPick(today)}
        >
          Today
        </Button>
      </div>
    </div>
  );
};

const writers = (locale: string) => {
  const writer = (options: Intl.DateTimeFormatOptions) => dayWriter(locale, options);
  const year = writer({ year: "numeric" });
  return {
    year: { name: year, text: year },
    month: { name: writer({ month: "long", year: "numeric" }), text: writer({ month: "short" }) },
    day: { name: writer({ dateStyle: "full" }), text: writer({ day: "numeric" }) },
    weekday: writer({ weekday: "long" }),
    shortWeekday: writer({ weekday: "short" }),
  };
};

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
const CalendarCell = ({
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
const CalendarHeading = ({ view, other, day, range, onShow, onStep, children }: CalendarHeadingProps) => {
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
      // Not `disabled`, which would take the focus away from anyone who has just stepped to the end.
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
