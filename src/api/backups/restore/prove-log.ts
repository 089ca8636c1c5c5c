import { createSecretBox, type SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { Database } from "#api/db/database.ts";
import { createActivityWriter, verifyActivity } from "#api/modules/activity/index.ts";

/** Of the activity log: how many rows were proven, the first fault, and whether its seal could be checked too. */
export type ProvenLog = { checked: number; fault: string | null; isSealChecked: boolean };

/** Proves a loaded log from its first row to its end; without the key (`box`) all but its seal. Appends nothing then. */
export const proveLog = async (
  db: Database,
  { box, clock, log }: { box: SecretBox | null; clock: Clock; log: Log },
): Promise<ProvenLog> => {
  const events = { publish: () => {}, subscribe: () => () => {}, isConnected: true };
  const secrets = box ?? createSecretBox(crypto.getRandomValues(new Uint8Array(32)));
  const { desk } = createActivityWriter({ db, clock, log, box: secrets, events });
  // What waits for its place was sealed under the key: without it nothing may be appended.
  const activity = box === null ? { ...desk, settle: async () => {} } : desk;
  const ctx = { actor: { kind: "operator" as const }, db, secrets, activity };
  let checked = 0;
  for (let after = 0; ; ) {
    const proven = await verifyActivity(ctx, { after, limit: 100_000 });
    checked += proven.checked;
    const isToTheEnd =
      proven.isComplete && proven.through === proven.head.id && proven.throughHash === proven.head.hash;
    // Behind the rows come the seal and what hangs on it.
    const fault = box === null && isToTheEnd ? null : proven.fault;
    if (fault !== null || proven.isComplete)
      return { checked, fault: fault?.problem ?? null, isSealChecked: box !== null };
    after = proven.through;
  }
};
