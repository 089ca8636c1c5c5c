import { createSecretBox, type SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { silentEvents } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import { createActivityWriter, verifyActivity } from "#api/modules/activity/index.ts";

/** What the proof works with. `onProgress` hears how many activities of how many are proven; what it throws ends the proof. */
export type LogProofParts = {
  box: SecretBox | null;
  clock: Clock;
  log: Log;
  onProgress?: (checked: number, total: number) => void;
};

/** Of the activity log: how many rows were proven, the first fault, and whether its seal could be checked too. */
export type ProvenLog = { checked: number; fault: string | null; isSealChecked: boolean };

/** What is told of a proof under way. */
export const provingText = (checked: number): string => `verifying the activity log (${checked} activities)`;

const sliceRows = 20_000;

/**
 * Proves the log of data that was brought into a database, from its first row to its end. What waits to be appended to it is
 * appended, as every start does. Without the key (`box`) all but its seal is proven, and nothing appended.
 */
export const proveLog = async (
  db: Database,
  { box, clock, log, onProgress = () => {} }: LogProofParts,
): Promise<ProvenLog> => {
  const secrets = box ?? createSecretBox(crypto.getRandomValues(new Uint8Array(32)));
  const { recorder, stop } = createActivityWriter({ db, clock, log, box: secrets, events: silentEvents });
  // What waits for its place was sealed under the key: without it nothing may be appended.
  const activity = box === null ? { ...recorder, settle: async () => {} } : recorder;
  const ctx = { actor: { kind: "operator" as const }, db, secrets, activity };
  try {
    let checked = 0;
    for (let after = 0; ; ) {
      const proven = await verifyActivity(ctx, { after, limit: sliceRows });
      checked += proven.checked;
      const isToTheEnd =
        proven.isComplete && proven.through === proven.head.id && proven.throughHash === proven.head.hash;
      // Behind the rows come the seal and what hangs on it.
      const fault = box === null && isToTheEnd ? null : proven.fault;
      if (fault === null) onProgress(checked, proven.head.id - proven.anchor.id);
      if (fault !== null || proven.isComplete)
        return { checked, fault: fault?.problem ?? null, isSealChecked: box !== null };
      after = proven.through;
    }
  } finally {
    // Its last round would append as well.
    if (box !== null) await stop();
  }
};
