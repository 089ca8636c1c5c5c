import type { BackupProof } from "#api/modules/backups/contract.ts";
import { formatMinute } from "#cli/format.ts";
import { printable } from "#cli/output.ts";

/** The newest trial restore, in words. */
export const proofText = ({ at, name, isSound }: BackupProof): string =>
  `last verified ${formatMinute(at)}: ${printable(name)}, ${isSound ? "sound" : "not sound"}`;
