import type { ActivitySeverity, ActivityStatus } from "#contract/activity.ts";
import { cn } from "#ui/lib/cn.ts";
import { inWords } from "./activity-words.ts";

/** How an activity went: a coloured dot and the word. */
export const StatusMark = ({ status }: { status: ActivityStatus }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-full", dots[status])} />
    {inWords(status)}
  </span>
);

const dots = {
  success: "bg-success",
  failure: "bg-destructive",
  warning: "bg-warning",
  info: "bg-info",
} as const;

/** How much an activity matters; the quieter, the less. */
export const SeverityMark = ({ severity }: { severity: ActivitySeverity }) => (
  <span className={looks[severity]}>{inWords(severity)}</span>
);

const looks = {
  low: "text-muted-foreground",
  medium: "",
  high: "font-medium text-warning",
  critical: "rounded-full bg-destructive px-2 py-0.5 font-medium text-destructive-foreground text-xs",
} as const;
