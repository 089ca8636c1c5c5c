import type { BackupState as WholeState } from "#api/modules/backups/contract.ts";
import { openRunning } from "#cli/client.ts";
import type { Composition } from "#cli/composition.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";

/** What the running server knows of backups, wherever they are kept. */
export type BackupState = Pick<WholeState, "backups" | "storageFault" | "last" | "run" | "schedule">;

/** Asks the running server; `null` where none runs, or it does not tell: then the folder has to do. */
export const askBackups = async (
  composition: Composition,
  isRunning: boolean,
): Promise<BackupState | null> => {
  if (!isRunning) return null;
  try {
    const client = await openRunning(composition, null);
    const state = client === null ? null : (await operationsOf(client).backups.list()).data;
    // An older version answers otherwise.
    return state !== null && "schedule" in state ? state : null;
  } catch {
    return null;
  }
};
