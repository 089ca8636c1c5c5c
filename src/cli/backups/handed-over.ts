import type { BackupHealth } from "#api/modules/backups/contract.ts";

/** The newest backup, where it went to a file of whoever made it, and nobody knows what became of it; `null` otherwise. */
export const handedOver = ({ run }: Pick<BackupHealth, "run">): { at: string; sizeBytes: number } | null =>
  run?.state === "done" && run.place === "handover"
    ? { at: run.beatAt, sizeBytes: run.sizeBytes ?? 0 }
    : null;
