import { CalendarDays } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { calendarBounds, type DayRange, isInRange, readTypedDay } from "#ui/lib/calendar.ts";
import { Calendar, type CalendarOptions, type CalendarProps } from "./calendar.tsx";
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
