import { type ReactNode, type RefObject, useId } from "react";
import { useModal } from "./use-modal.ts";

export type DialogProps = {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Buttons at the end, the safe one first. */
  actions?: ReactNode;
  returnFocusTo?: RefObject<HTMLElement | null>;
  children?: ReactNode;
};

/** A question or small form above the page. Give `autoFocus` to the control that should be reached first. */
export const Dialog = ({ open, ...props }: DialogProps) => (open ? <OpenDialog {...props} /> : null);

const OpenDialog = ({
  onOpenChange,
  title,
  description,
  actions,
  returnFocusTo,
  children,
}: Omit<DialogProps, "open">) => {
  const id = useId();
  const ref = useModal({ onClose: () => onOpenChange(false), returnFocusTo });
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      className="m-auto w-[calc(100%-2rem)] max-w-md flex-col rounded-lg border border-border bg-card p-0 text-card-foreground shadow-xl transition-[opacity,scale] open:flex duration-150 backdrop:transition-opacity backdrop:duration-150 starting:scale-98 starting:opacity-0 starting:backdrop:opacity-0 motion-reduce:transition-none"
    >
      {/* Notices come below it. */}
      <div className="wrap-anywhere grid min-h-0 gap-5 overflow-y-auto p-6">
        <div className="grid gap-1.5">
          <h2 id={`${id}-title`} className="font-semibold text-base tracking-tight">
            {title}
          </h2>
          {description !== undefined && (
            <div id={`${id}-description`} className="text-muted-foreground text-sm leading-5">
              {description}
            </div>
          )}
        </div>
        {children}
        {actions !== undefined && (
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{actions}</div>
        )}
      </div>
    </dialog>
  );
};
