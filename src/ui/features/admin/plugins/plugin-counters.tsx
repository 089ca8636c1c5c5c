import { Link } from "wouter";
import type { Plugin } from "#contract/plugins.ts";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { formatCount } from "../format.ts";
import { pluginAddress } from "./plugin-query.ts";
import { isAmong, type PluginShow, pluginShows } from "./plugin-status.ts";
import { pluginListTexts as texts } from "./texts.ts";

type PluginCountersProps = {
  /** `null` while they are on their way. */
  plugins: readonly Plugin[] | null;
  hasFailed: boolean;
  show: PluginShow;
};

/** How many plugins there are of each kind; each number leads to just those. */
export const PluginCounters = ({ plugins, hasFailed, show }: PluginCountersProps) => {
  const counted = (kind: PluginShow) => {
    if (plugins !== null) return formatCount(plugins.filter((plugin) => isAmong(kind, plugin)).length);
    return hasFailed ? "–" : <Skeleton className="h-5 w-10" />;
  };
  return (
    <ul aria-label={texts.counters} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {pluginShows.map((kind) => (
        <li
          key={kind}
          className="relative rounded-lg border border-border bg-card px-4 py-2 has-[a:hover]:bg-accent/50 has-aria-[current=true]:border-primary"
        >
          <Link
            href={pluginAddress({ show: kind })}
            aria-current={kind === show && kind !== "total" ? "true" : undefined}
            className="text-[0.8125rem] text-muted-foreground outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:ring-2 focus-visible:after:ring-ring"
          >
            {texts.counted[kind]}
          </Link>
          <div className="flex min-h-7 items-center font-semibold text-xl tabular-nums tracking-tight">
            {counted(kind)}
          </div>
        </li>
      ))}
    </ul>
  );
};
