import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { EventBus } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import type { Database } from "#api/db/database.ts";
import { keyOfKeyCheck } from "#api/db/key-check.ts";
import { TransferError } from "#api/db/transfer/index.ts";
import { createActivityWriter, verifyActivity } from "#api/modules/activity/index.ts";

/** What the proof works with. `onProgress` hears how many activities of how many are proven. */
export type ProofParts = {
  db: Database;
  box: SecretBox;
  clock: Clock;
  log: Log;
  onProgress?: (checked: number, total: number) => void;
};

const sliceRows = 20_000;

/**
 * Proves that data which was brought into a database is a whole installation of this key: its secrets can be opened, and
 * the chain of the activity log is unbroken from its beginning to its end. What waits to be appended to the log is appended,
 * as every start does. Resolves to the number of activities; throws `TransferError` with what is wrong.
 */
export const proveInstallation = async ({ db, box, clock, log, onProgress }: ProofParts): Promise<number> => {
  if ((await keyOfKeyCheck(db, box)) === "unknown")
    throw new TransferError(`The secrets in the data cannot be opened with key ${box.fingerprint}`);
  const { desk, stop } = createActivityWriter({ db, clock, log, box, events: nobodyListens });
  try {
    let checked = 0;
    for (let after = 0; ; ) {
      const slice = await verifyActivity(
        { db, actor: { kind: "operator" }, secrets: box, activity: desk },
        { after, limit: sliceRows },
      );
      if (slice.fault !== null)
        throw new TransferError(`The activity log is not whole: ${slice.fault.problem}`);
      checked += slice.checked;
      onProgress?.(checked, slice.head.id - slice.anchor.id);
      if (slice.isComplete) return checked;
      after = slice.through;
    }
  } finally {
    await stop();
  }
};

const nobodyListens: EventBus = { publish: () => {}, subscribe: () => () => {}, isConnected: true };
