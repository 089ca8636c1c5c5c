import type { ReactNode } from "react";
import type { ActivityStats } from "#api/modules/activity/contract.ts";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { formatCount } from "../format.ts";
import { type ActivityFilters, countFilters, isMoment, noFilters } from "./activity-view.ts";
import { tileTexts as texts } from "./texts.ts";

type ActivityTilesProps = {
  /** `null` while they are on their way. */
  stats: ActivityStats | null;
  /** Whether they could not be had. */
  hasFailed: boolean;
  filters: ActivityFilters;
  onFilter: (change: Partial<ActivityFilters>) => void;
};

const dayMs = 86_400_000;

/** What the filters let through in four numbers; a press on one sets the filter that shows just what it counts, another takes it off. */
export const ActivityTiles = ({ stats, hasFailed, filters, onFilter }: ActivityTilesProps) => {
  const shown = (pick: (stats: ActivityStats) => number) => {
    if (stats !== null) return `${formatCount(pick(stats))}${stats.coversNewest === null ? "" : "+"}`;
    return hasFailed ? "–" : <Skeleton className="h-5 w-16" />;
  };
  const where = countFilters(filters) > 0 ? texts.filteredHint : texts.totalHint;
  const areFailures = filters.status === "failure";
  const isRecent = isMoment(filters.startDate) && filters.endDate === "";
  const aDayAgo = () => new Date(Date.now() - dayMs).toISOString();
  return (
    <section aria-label={texts.label}>
      <ul className="grid h-full grid-cols-2 gap-3">
        <Tile
          name={texts.total}
          value={shown(({ total }) => total)}
          hint={where}
          onPick={() => onFilter(noFilters)}
        />
        <Tile
          name={texts.recent}
          value={shown(({ last24Hours }) => last24Hours)}
          hint={texts.recentHint}
          isPicked={isRecent}
          onPick={() => onFilter({ startDate: isRecent ? "" : aDayAgo(), endDate: "" })}
        />
        <Tile
          name={texts.failures}
          value={shown(({ failures }) => failures)}
          hint={where}
          isPicked={areFailures}
          onPick={() => onFilter({ status: areFailures ? "" : "failure" })}
        />
        <Tile
          name={texts.security}
          value={shown(({ securityEvents }) => securityEvents)}
          hint={texts.securityHint}
          isPicked={filters.security !== ""}
          onPick={() => onFilter({ security: filters.security === "" ? "true" : "" })}
        />
      </ul>
    </section>
  );
};

type TileProps = { name: string; value: ReactNode; hint: string; isPicked?: boolean; onPick: () => void };

const Tile = ({ name, value, hint, isPicked, onPick }: TileProps) => (
  <li className="relative rounded-lg border border-border bg-card px-4 py-1.5 has-[button:hover]:bg-accent/50 has-aria-pressed:border-primary">
    <p className="text-muted-foreground text-[0.8125rem]">
      <button
        type="button"
        aria-pressed={isPicked}
        onClick={onPick}
        className="cursor-pointer text-left outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:ring-2 focus-visible:after:ring-ring"
      >
        {name}
      </button>
    </p>
    <div className="flex min-h-7 items-center font-semibold text-xl tabular-nums tracking-tight">{value}</div>
    <p className="text-muted-foreground text-xs">{hint}</p>
  </li>
);
