import type { ActivityRecorder } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { readRecordedVersion, replaceRecordedVersion } from "./upgrade-store.ts";

/**
 * Tells the activity log that the installation runs another version than before, once for each change; of a new
 * installation nothing. Where a newer and an older version run beside each other, each start is told.
 */
export const recordUpgrade = async (
  { db, clock, activity }: { db: Database; clock: Clock; activity: ActivityRecorder },
  version: string,
): Promise<void> => {
  if ((await readRecordedVersion(db)) === version) return;
  await db.transaction(async (tx) => {
    const former = await replaceRecordedVersion(tx, version);
    if (former === null || former === version) return;
    await activity.record(tx, {
      entry: {
        type: "admin_action",
        severity: "medium",
        action: "Changed the version of Atrium",
        description: `From ${former} to ${version}`,
        before: { version: former },
        after: { version },
      },
      source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
      at: clock.now(),
    });
  });
  activity.wake();
};
