import { isSecurityEvent } from "#contract/activity.ts";
import type { KindNames } from "./filter.ts";

/** How many activities there are, in all and by what they are filtered by; only what occurs has an entry. */
export type ActivityCounts = {
  total: number;
  byStatus: Record<string, number>;
  bySeverity: Record<string, number>;
  byType: Record<string, number>;
  /** The busiest plugin first; of equals in the order of their names. */
  pluginActivity: { pluginName: string; count: number }[];
  securityEvents: number;
};

/** Sums numbers of activities of one kind each. */
export const countBy = (counted: Iterable<readonly [KindNames, number]>): ActivityCounts => {
  const byStatus = new Map<string, number>();
  const bySeverity = new Map<string, number>();
  const byType = new Map<string, number>();
  const byPlugin = new Map<string, number>();
  let total = 0;
  let securityEvents = 0;
  for (const [kind, count] of counted) {
    total += count;
    add(byStatus, kind.status, count);
    add(bySeverity, kind.severity, count);
    add(byType, kind.type, count);
    add(byPlugin, kind.pluginName, count);
    if (isSecurityEvent(kind)) securityEvents += count;
  }
  return {
    total,
    byStatus: Object.fromEntries(byStatus),
    bySeverity: Object.fromEntries(bySeverity),
    byType: Object.fromEntries(byType),
    pluginActivity: [...byPlugin]
      .map(([pluginName, count]) => ({ pluginName, count }))
      .sort((one, other) => other.count - one.count || (one.pluginName < other.pluginName ? -1 : 1)),
    securityEvents,
  };
};

const add = (sums: Map<string, number>, name: string, count: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + count);
};
