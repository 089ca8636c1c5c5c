import { X } from "lucide-react";
import { useId } from "react";
import type { DialogProps } from "./dialog.tsx";
import { useModal } from "./use-modal.ts";

/** Details of one thing, from the right edge above the page; the whole width on phones. Its actions stay in sight. */
export const Sheet = ({ open, ...props }: DialogProps) => (open ? <OpenSheet {...props} /> : null);

const OpenSheet = ({
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
      data-edge=""
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-full max-w-lg flex-col border-border border-l bg-card p-0 text-card-foreground shadow-xl transition-[translate] duration-200 open:flex starting:translate-x-full motion-reduce:transition-none sm:w-[calc(100%-3rem)]"
    >
      <header className="flex items-start justify-between gap-4 border-border border-b px-5 py-4 sm:px-6">
        <div className="grid min-w-0 gap-1">
          <h2 id={`${id}-title`} className="wrap-anywhere font-semibold text-base tracking-tight">
            {title}
          </h2>
          {description !== undefined && (
            <div id={`${id}-description`} className="wrap-anywhere text-muted-foreground text-sm leading-5">
              {description}
            </div>
          )}
        </div>
        <button
          type="button"
          aria-label="Close"
          title="Close"
          onClick={() => onOpenChange(false)}
          className="-mt-2 -mr-2.5 grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:bg-accent hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring md:size-9"
        >
          <X aria-hidden="true" className="size-4.5" />
        </button>
      </header>
      <div className="min-h-0 grow overflow-y-auto px-5 py-5 sm:px-6">{children}</div>
      {/* Last, so that notices, which come at the end of the dialog, are shown above it. */}
      {actions !== undefined && (
        <footer className="order-1 flex flex-wrap gap-2 border-border border-t px-5 py-3 sm:px-6">
          {actions}
        </footer>
      )}
    </dialog>
  );
};
