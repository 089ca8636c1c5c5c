import type { RefObject } from "react";
import { Calendar, type CalendarProps } from "./calendar.tsx";
import { useModal } from "./use-modal.ts";

type CalendarDialogProps = CalendarProps & {
  label: string;
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
};

/** A calendar that hangs on its field, or stands in the middle of a phone. */
export const CalendarDialog = ({ label, opener, onClose, ...calendar }: CalendarDialogProps) => {
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
