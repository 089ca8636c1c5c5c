import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#ui/lib/cn.ts";

/** How grave an alert is; it picks color and icon. */
export type AlertSeverity = "success" | "info" | "warning" | "error";

type AlertProps = {
  severity?: AlertSeverity;
  title?: string;
  /** Shows a close button when given. */
  onClose?: () => void;
  closeLabel?: string;
  /** Buttons or links under the text. */
  actions?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
};

/** A message that stays until dealt with; errors and warnings interrupt screen readers, the rest wait their turn. */
export const Alert = ({
  severity = "success",
  title,
  onClose,
  closeLabel = "Close",
  actions,
  className,
  children,
}: AlertProps) => {
  const { Icon, surface, tint } = looks[severity];
  const isUrgent = severity === "error" || severity === "warning";
  return (
    <div
      role={isUrgent ? "alert" : "status"}
      className={cn("flex gap-2.5 rounded-md border px-3.5 py-3 text-sm leading-5", surface, className)}
    >
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", tint)} />
      <div className="grid min-w-0 grow gap-1">
        {title !== undefined && <p className="font-medium">{title}</p>}
        {hasWords(children) && <div className="wrap-anywhere text-foreground/90">{children}</div>}
        {actions !== undefined && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
      {onClose !== undefined && (
        <button
          type="button"
          onClick={onClose}
          aria-label={closeLabel}
          title={closeLabel}
          className="-my-1.5 -mr-2 grid size-8 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring max-md:-my-3 max-md:-mr-3 max-md:size-11"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
};

// A condition that failed leaves `false`, which renders nothing.
const hasWords = (children: ReactNode) => children !== undefined && children !== null && children !== false;

const looks = {
  success: { Icon: CircleCheck, surface: "border-success/30 bg-success/8", tint: "text-success" },
  info: { Icon: Info, surface: "border-info/30 bg-info/8", tint: "text-info" },
  warning: { Icon: TriangleAlert, surface: "border-warning/35 bg-warning/8", tint: "text-warning" },
  error: { Icon: CircleAlert, surface: "border-destructive/30 bg-destructive/8", tint: "text-destructive" },
} as const;
