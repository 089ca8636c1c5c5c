import type { ActivityEntry } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import type { Database } from "#api/db/database.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";

type RestoreRecord = {
  box: SecretBox;
  clock: Clock;
  log: Log;
  entry: Pick<ActivityEntry, "description" | "before" | "after">;
};

/** Leaves a row about the restore for the activity log, which the next start takes over. */
export const recordRestore = async (
  tx: Database,
  { box, clock, log, entry }: RestoreRecord,
): Promise<void> => {
  const events = { publish: () => {}, subscribe: () => () => {}, isConnected: true };
  const { desk } = createActivityWriter({ db: tx, clock, log, box, events });
  await desk.record(tx, {
    entry: { type: "admin_action", severity: "high", action: "Restored a backup", ...entry },
    source: { actor: { kind: "operator" }, requestId: null, ip: "local", userAgent: null },
    at: clock.now(),
  });
};
