import type { SecretBox } from "#api/adapters/secret-box.ts";
import { type LogProofParts, proveLog } from "#api/backups/restore/prove-log.ts";
import type { Database } from "#api/core/database.ts";
import { keyOfKeyCheck } from "#api/db/key-check.ts";
import { TransferError } from "#api/db/transfer/errors.ts";

/** What the proof works with. */
export type ProofParts = Omit<LogProofParts, "box"> & { db: Database; box: SecretBox };

/**
 * Proves that data which was brought into a database is a whole installation of this key: its secrets can be opened, and
 * the chain of the activity log is unbroken from its beginning to its end. What waits to be appended to the log is appended,
 * as every start does. Resolves to the number of activities; throws `TransferError` with what is wrong.
 */
export const proveInstallation = async ({ db, ...parts }: ProofParts): Promise<number> => {
  if ((await keyOfKeyCheck(db, parts.box)) === "unknown")
    throw new TransferError(`The secrets in the data cannot be opened with key ${parts.box.fingerprint}`);
  const { checked, fault } = await proveLog(db, parts);
  if (fault !== null) throw new TransferError(`The activity log is not whole: ${fault}`);
  return checked;
};
