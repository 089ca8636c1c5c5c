import type { ActivityEntry } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { silentEvents } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";

/** Who records, and what was done; see {@link recordByOperator}. */
export type OperatorRecord = {
  box: SecretBox;
  clock: Clock;
  log: Log;
  entry: Pick<ActivityEntry, "action" | "description" | "before" | "after">;
};

/**
 * Leaves a row for the activity log about what the operator did to the installation as a whole while no server ran on it: the
 * next start, or the next proof, gives it its place.
 */
export const recordByOperator = async (
  tx: Database,
  { box, clock, log, entry }: OperatorRecord,
): Promise<void> => {
  const { desk } = createActivityWriter({ db: tx, clock, log, box, events: silentEvents });
  await desk.record(tx, {
    entry: { type: "admin_action", severity: "high", ...entry },
    source: { actor: { kind: "operator" }, requestId: null, ip: "local", userAgent: null },
    at: clock.now(),
  });
};
