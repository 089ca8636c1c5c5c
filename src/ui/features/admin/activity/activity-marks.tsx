import type { ActivitySeverity, ActivityStatus } from "#contract/activity.ts";
import { cn } from "#ui/lib/cn.ts";

/** How an activity went: a colored dot and the word. */
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

/** Names as the API has them, in words: `plugin_hot_reloaded` reads "Plugin hot reloaded"; several stand apart by commas. */
export const inWords = (names: string): string =>
  names
    .split(",")
    .map((name) => {
      const words = name.replaceAll("_", " ").replace(/^api\b/, "API");
      return words.slice(0, 1).toUpperCase() + words.slice(1);
    })
    .join(", ");

/** The day in the reader's language and zone, without its year. */
export const rowDay = (iso: string): string => dayFormat.format(new Date(iso));

/** The time of day to the second. */
export const rowTime = (iso: string): string => timeFormat.format(new Date(iso));

/** Day and time to the second, in full. */
export const fullTime = (iso: string): string => fullFormat.format(new Date(iso));

// Made once: making one takes longer than formatting a whole page of rows with it.
const dayFormat = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
